import { addEntries, isSequence, itemsOf, setOpen } from './containers.js';
import type { CallArguments } from './surroundings.js';
import { UNKNOWN, UNKNOWN_LIST, type DictValue, type OutsideValue, type PythonValue } from './value.js';

/** Calls from outside of the archive that return a list, whatever its items. */
const RETURNS_LIST = /^(?:list|sorted|folder_paths\.(?:\w+\.)*get_filename_list|os\.listdir|glob\.glob)$/;
/** Calls that leave their arguments as they are. */
const READS_ONLY =
  /^(?:print|len|isinstance|issubclass|hasattr|str|repr|bool|int|float|set|any|all|zip|enumerate|map|min|max|sum|type|id)$|^(?:logging|json|copy|comfy_api|logger|io|os)\b|(?:^|\.)(?:Schema|Input|Output)$/;

/** Calls something from outside of the archive. */
export function callBuiltin(target: OutsideValue, given: CallArguments, madeIn: number): PythonValue {
  const [first] = given.args;
  const items = first && itemsOf(first);
  switch (target.path) {
    case 'dict':
      return makeDict(given, madeIn);
    case 'list':
    case 'tuple': {
      const copied = first === undefined ? [] : items;
      if (copied !== undefined) return { kind: target.path, items: [...copied], open: false, madeIn };
      return target.path === 'list' ? UNKNOWN_LIST : UNKNOWN;
    }
    case 'range':
      return range(given.args, madeIn);
    case 'enumerate':
      return numbered(items, given, madeIn);
    case 'zip':
      return zipped(given, madeIn);
    case 'str':
      return first?.kind === 'text' && given.args.length === 1 ? first : UNKNOWN;
    case 'copy.copy':
    case 'copy.deepcopy':
      return first === undefined ? UNKNOWN : deepCopy(first, madeIn);
    default:
  }
  if (RETURNS_LIST.test(target.path)) return UNKNOWN_LIST;
  if (!READS_ONLY.test(target.path)) for (const value of [...given.args, ...given.named.values()]) setOpen(value);
  return { kind: 'made', path: target.path, ...(target.on && { on: target.on }), ...given };
}

function makeDict({ args, named, open }: CallArguments, madeIn: number): PythonValue {
  const dict: DictValue = { kind: 'dict', entries: new Map(), open, varying: false, madeIn };
  for (const arg of args) addEntries(dict, arg);
  for (const [name, value] of named)
    dict.entries.set(JSON.stringify(name), { key: { kind: 'text', value: name }, value });
  return dict;
}

function range(args: readonly PythonValue[], madeIn: number): PythonValue {
  const [start, end] = args.length === 1 ? [0, numberOf(args[0])] : [numberOf(args[0]), numberOf(args[1])];
  if (start === undefined || end === undefined || args.length > 2 || end - start > 10_000) return UNKNOWN_LIST;
  const items = Array.from({ length: Math.max(end - start, 0) }, (_, index) => numberValue(start + index));
  return { kind: 'list', items, open: false, madeIn };
}

const numberValue = (value: number): PythonValue => ({ kind: 'number', value: BigInt(value) });

const numberOf = (value: PythonValue | undefined): number | undefined =>
  value?.kind === 'number' && typeof value.value === 'bigint' ? Number(value.value) : undefined;

function numbered(
  items: readonly PythonValue[] | undefined,
  { args, named }: CallArguments,
  madeIn: number,
): PythonValue {
  if (items === undefined || args.length > 1 || named.size > 0) return UNKNOWN_LIST;
  const pairs = items.map((item, index): PythonValue => ({
    kind: 'tuple',
    items: [numberValue(index), item],
    open: false,
    madeIn,
  }));
  return { kind: 'list', items: pairs, open: false, madeIn };
}

function zipped({ args, named }: CallArguments, madeIn: number): PythonValue {
  const lists = args.map((arg) => itemsOf(arg));
  if (named.size > 0 || lists.includes(undefined)) return UNKNOWN_LIST;
  const length = Math.min(...lists.map((list) => list?.length ?? 0));
  const row = (index: number): PythonValue => ({
    kind: 'tuple',
    items: lists.map((list) => list?.[index] ?? UNKNOWN),
    open: false,
    madeIn,
  });
  return {
    kind: 'list',
    items: Array.from({ length: lists.length > 0 ? length : 0 }, (_, index) => row(index)),
    open: false,
    madeIn,
  };
}

/** As many containers within each other as INPUT_TYPES has in practice; those below are not known. */
function deepCopy(value: PythonValue, madeIn: number, depth = 3): PythonValue {
  const part = (inner: PythonValue): PythonValue => {
    const isContainer = inner.kind === 'dict' || isSequence(inner);
    return depth > 0 || !isContainer ? deepCopy(inner, madeIn, depth - 1) : UNKNOWN;
  };
  if (value.kind === 'dict') {
    const entries = [...value.entries].map(
      ([name, { key, value: entry }]) => [name, { key, value: part(entry) }] as const,
    );
    return { ...value, entries: new Map(entries), madeIn };
  }
  return isSequence(value) ? { ...value, items: value.items.map(part), madeIn } : value;
}
