import type { Expression } from './syntax.js';
import { entryKey, UNKNOWN, type DictValue, type SequenceValue, type PythonValue } from './value.js';

/** A loop over more items runs its body once, for any item. */
const MAX_LOOP = 100_000;

export const isSequence = (value: PythonValue): value is SequenceValue =>
  value.kind === 'tuple' || value.kind === 'list';

/** Items of a value that is looped over; `undefined` where they are not known. */
export function itemsOf(value: PythonValue): readonly PythonValue[] | undefined {
  if (isSequence(value)) return value.open || value.items.length > MAX_LOOP ? undefined : value.items;
  if (value.kind !== 'dict' || value.open || value.varying) return undefined;
  return [...value.entries.values()].map(({ key }) => key);
}

/** `dict.update(more)`. */
export function addEntries(dict: DictValue, more: PythonValue): void {
  if (more.kind === 'dict') {
    for (const [key, entry] of more.entries) dict.entries.set(key, { ...entry });
    dict.open ||= more.open;
    dict.varying ||= more.varying;
    return;
  }
  const pairs = isSequence(more) && !more.open ? more.items : undefined;
  for (const pair of pairs ?? []) {
    const [key, value] = isSequence(pair) && !pair.open ? pair.items : [];
    const name = key && entryKey(key);
    if (key === undefined || value === undefined || name === undefined) dict.open = true;
    else dict.entries.set(name, { key, value });
  }
  dict.open ||= pairs === undefined;
}

/** Binds the names of a target; parts of a value that is not known are `UNKNOWN`. */
export function bindTarget(
  target: Expression,
  value: PythonValue,
  bind: (name: string, value: PythonValue) => void,
): void {
  if (target.kind === 'name') bind(target.name, value);
  if (target.kind !== 'sequence') return;
  const items = isSequence(value) && !value.open && value.items.length === target.items.length ? value.items : [];
  const isPlain = target.items.every(({ spread }) => !spread);
  target.items.forEach((item, index) => bindTarget(item.value, isPlain ? (items[index] ?? UNKNOWN) : UNKNOWN, bind));
}

export function setEntry(dict: DictValue, key: PythonValue, value: PythonValue): void {
  const name = entryKey(key);
  if (name === undefined) dict.open = true;
  else dict.entries.set(name, { key, value });
}

/** Something that is not known may have changed the value. */
export function setOpen(value: PythonValue): void {
  if (value.kind === 'dict' || value.kind === 'list') value.open = true;
}

export function sizeOf(value: PythonValue): number {
  if (value.kind === 'dict') return value.entries.size;
  return isSequence(value) ? value.items.length : 1;
}
