import { UNKNOWN, UNKNOWN_LIST, type DictValue, type PythonValue } from './value.js';

/** A value that is either one of two: what both have in common. Entries of dicts are kept from both. */
export function mergeValues(one: PythonValue, other: PythonValue, spend: () => void): PythonValue {
  spend();
  if (one === other || isSame(one, other, spend)) return one;
  if (one.kind === 'dict' && other.kind === 'dict') return mergeDicts(one, other, spend);
  // `except ImportError: X = None`: without the dict or class there is nothing to list.
  if (one.kind === 'constant' && one.value === null && isKept(other)) return lacking(other);
  if (other.kind === 'constant' && other.value === null && isKept(one)) return lacking(one);
  if (one.kind === 'dict' && other.kind === 'unknown') return { ...one, open: true, varying: true };
  if (other.kind === 'dict' && one.kind === 'unknown') return { ...other, open: true, varying: true };
  if (one.kind === 'class' && other.kind === 'class') {
    return { kind: 'class', classes: [...new Set([...one.classes, ...other.classes])].slice(0, 4) };
  }
  return isList(one) && isList(other) ? UNKNOWN_LIST : UNKNOWN;
}

const isKept = ({ kind }: PythonValue): boolean => kind === 'dict' || kind === 'class';

const lacking = (value: PythonValue): PythonValue => (value.kind === 'dict' ? { ...value, varying: true } : value);

const isList = (value: PythonValue): boolean => value.kind === 'list' || (value.kind === 'unknown' && value.isList);

function mergeDicts(one: DictValue, other: DictValue, spend: () => void): DictValue {
  const entries = new Map(one.entries);
  let varying = one.varying || other.varying || one.entries.size !== other.entries.size;
  for (const [key, { key: keyValue, value }] of other.entries) {
    const known = entries.get(key);
    varying ||= known === undefined;
    entries.set(key, { key: keyValue, value: known === undefined ? value : mergeValues(known.value, value, spend) });
  }
  return { kind: 'dict', entries, open: one.open || other.open, varying, madeIn: Math.min(one.madeIn, other.madeIn) };
}

function isSame(one: PythonValue, other: PythonValue, spend: () => void): boolean {
  spend();
  if (one === other) return true;
  if (one.kind === 'text' || one.kind === 'number' || one.kind === 'constant') {
    return one.kind === other.kind && one.value === other.value;
  }
  if (one.kind === 'outside') return other.kind === 'outside' && one.path === other.path;
  if ((one.kind === 'tuple' || one.kind === 'list') && one.kind === other.kind) {
    if (one.open || other.open || one.items.length !== other.items.length) return false;
    return one.items.every((item, index) => isSame(item, other.items[index] ?? UNKNOWN, spend));
  }
  if (one.kind !== 'dict' || other.kind !== 'dict' || one.entries.size !== other.entries.size) return false;
  const areExact = ![one, other].some(({ open, varying }) => open || varying);
  return (
    areExact &&
    [...one.entries].every(([key, { value }]) => {
      const found = other.entries.get(key);
      return found !== undefined && isSame(value, found.value, spend);
    })
  );
}
