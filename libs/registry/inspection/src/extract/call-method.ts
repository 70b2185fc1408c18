import { mergeValues } from './merge-values.js';
import { addEntries } from './containers.js';
import type { CallArguments, CallSurroundings } from './surroundings.js';
import { entryKey, UNKNOWN, UNKNOWN_LIST, type DictValue, type SequenceValue, type PythonValue } from './value.js';

const NONE: PythonValue = { kind: 'constant', value: null };

/** Calls a method of a dict, a list, a tuple or a text. A method that is not known may change a dict or a list. */
export function callMethod(
  object: DictValue | SequenceValue | Extract<PythonValue, { kind: 'text' }>,
  name: string,
  given: CallArguments,
  around: CallSurroundings,
): PythonValue {
  if (object.kind === 'dict') return callDict(object, name, given, around);
  if (object.kind === 'list') return callList(object, name, given, around);
  if (object.kind === 'text') return callText(object.value, name, given);
  return UNKNOWN;
}

/** Whether a call of the method reads every item of the object: it takes as many steps. */
export function copiesObject({ kind }: PythonValue, name: string): boolean {
  return kind === 'dict' ? /^(?:copy|keys|values|items)$/.test(name) : !/^(?:append|extend)$/.test(name);
}

/** `dict[key] = value`; in a block that may not run, the entry may be the earlier one. */
export function assignEntry(dict: DictValue, key: PythonValue, value: PythonValue, around: CallSurroundings): void {
  const name = entryKey(key);
  if (name === undefined) {
    dict.open = true;
    return;
  }
  const isSure = dict.madeIn >= around.block();
  const earlier = dict.entries.get(name);
  dict.varying ||= !isSure && earlier === undefined;
  const merged = isSure || earlier === undefined ? value : mergeValues(earlier.value, value, around.budget.spend);
  dict.entries.set(name, { key, value: merged });
}

function callDict(
  dict: DictValue,
  name: string,
  { args, named, open }: CallArguments,
  around: CallSurroundings,
): PythonValue {
  const [first = UNKNOWN, second = NONE] = args;
  const isWhole = !dict.open && !dict.varying;
  const list = (items: PythonValue[]): PythonValue =>
    isWhole ? { kind: 'list', items, open: false, madeIn: around.block() } : UNKNOWN_LIST;
  const map = <T>(read: (entry: { key: PythonValue; value: PythonValue }) => T): T[] =>
    [...dict.entries.values()].map(read);
  switch (name) {
    case 'update':
      updateDict(dict, { args, named, open }, around);
      return NONE;
    case 'copy':
      return { ...dict, entries: new Map(dict.entries), madeIn: around.block() };
    case 'keys':
      return list(map(({ key }) => key));
    case 'values':
      return list(map(({ value }) => value));
    case 'items':
      return list(
        map(({ key, value }) => ({ kind: 'tuple', items: [key, value], open: false, madeIn: around.block() })),
      );
    case 'get': {
      const found = dict.entries.get(entryKey(first) ?? '');
      if (found !== undefined) return dict.varying ? UNKNOWN : found.value;
      return isWhole && entryKey(first) !== undefined ? second : UNKNOWN;
    }
    case 'setdefault': {
      const found = dict.entries.get(entryKey(first) ?? '');
      if (found !== undefined) return dict.varying ? UNKNOWN : found.value;
      assignEntry(dict, first, dict.open ? UNKNOWN : second, around);
      return dict.open ? UNKNOWN : second;
    }
    case 'pop': {
      const key = entryKey(first);
      const found = dict.entries.get(key ?? '')?.value ?? UNKNOWN;
      removeEntry(dict, first, around);
      return dict.varying ? UNKNOWN : found;
    }
    default:
      dict.open = true;
      dict.varying = true;
      return UNKNOWN;
  }
}

export function removeEntry(dict: DictValue, key: PythonValue, around: CallSurroundings): void {
  const name = entryKey(key);
  if (name !== undefined && dict.madeIn >= around.block()) dict.entries.delete(name);
  else dict.varying = true;
}

/** `dict.update(more, name=value)`. */
function updateDict(dict: DictValue, { args, named, open }: CallArguments, around: CallSurroundings): void {
  const more: DictValue = { kind: 'dict', entries: new Map(), open, varying: false, madeIn: around.block() };
  for (const arg of args) addEntries(more, arg);
  for (const [name, value] of named) {
    more.entries.set(JSON.stringify(name), { key: { kind: 'text', value: name }, value });
  }
  for (const { key, value } of more.entries.values()) assignEntry(dict, key, value, around);
  dict.open ||= more.open;
  dict.varying ||= more.varying;
}

function callList(
  list: SequenceValue,
  name: string,
  { args, open }: CallArguments,
  around: CallSurroundings,
): PythonValue {
  const [first = UNKNOWN, second = UNKNOWN] = args;
  const isSure = list.madeIn >= around.block() && !open;
  if (name === 'copy') return { ...list, items: [...list.items], madeIn: around.block() };
  if (name === 'index' || name === 'count') return UNKNOWN;
  if (name === 'append' && isSure) list.items.push(first);
  else if (name === 'extend' && isSure && (first.kind === 'list' || first.kind === 'tuple') && !first.open) {
    for (const item of [...first.items]) list.items.push(item);
  } else if (name === 'insert' && isSure && first.kind === 'number') list.items.splice(Number(first.value), 0, second);
  else list.open = true;
  return name === 'append' || name === 'extend' || name === 'insert' ? NONE : UNKNOWN;
}

function callText(text: string, name: string, { args, named, open }: CallArguments): PythonValue {
  if (name === 'format' && named.size === 0 && !open) return formatText(text, args);
  if (args.length > 0 || named.size > 0 || open) return UNKNOWN;
  // Python's and JavaScript's white space differ outside of ASCII.
  const isPlain = /^[\x00-\x7f]*$/.test(text);
  if (name === 'strip')
    return { kind: 'text', value: isPlain ? text.trim() : text.replaceAll(/^[ \t\n\r]+|[ \t\n\r]+$/g, '') };
  if (name === 'upper' && isPlain) return { kind: 'text', value: text.toUpperCase() };
  if (name === 'lower' && isPlain) return { kind: 'text', value: text.toLowerCase() };
  return UNKNOWN;
}

/** `'{} ({})'.format(…)` with texts alone. */
function formatText(text: string, args: readonly PythonValue[]): PythonValue {
  const parts = text.split('{}');
  const texts = args.map((arg) => (arg.kind === 'text' ? arg.value : undefined));
  const isPlain = parts.length - 1 === texts.length && !parts.some((part) => /[{}]/.test(part));
  const length = texts.reduce((sum, part) => sum + (part?.length ?? 0), text.length);
  if (!isPlain || texts.includes(undefined) || length > 1 << 20) return UNKNOWN;
  return { kind: 'text', value: parts.map((part, index) => part + (texts[index] ?? '')).join('') };
}
