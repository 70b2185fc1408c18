import { addEntries, isSequence } from './containers.js';
import { UNKNOWN, UNKNOWN_LIST, type DictValue, type SequenceValue, type PythonValue } from './value.js';

const MAX_TEXT = 1 << 20;
const MAX_ITEMS = 200_000;
const MAX_BITS = 1024n;

/** `left operator right`; unknown where the operands or the operator are. `madeIn` marks a container that is made. */
export function applyBinary(operator: string, left: PythonValue, right: PythonValue, madeIn: number): PythonValue {
  if (left.kind === 'text' && right.kind === 'text' && operator === '+') {
    return left.value.length + right.value.length > MAX_TEXT
      ? UNKNOWN
      : { kind: 'text', value: left.value + right.value };
  }
  if (left.kind === 'number' && right.kind === 'number') return calculate(operator, left.value, right.value);
  if (operator === '|' && left.kind === 'dict') return uniteDicts(left, right, madeIn);
  if (operator === '+') return concatenate(left, right, madeIn);
  if (operator === '*' && isSequence(left) && right.kind === 'number') return repeat(left, right.value, madeIn);
  return UNKNOWN;
}

const isListLike = (value: PythonValue): boolean => value.kind === 'list' || (value.kind === 'unknown' && value.isList);

function concatenate(left: PythonValue, right: PythonValue, madeIn: number): PythonValue {
  if (isSequence(left) && isSequence(right) && left.kind === right.kind && !left.open && !right.open) {
    if (left.items.length + right.items.length > MAX_ITEMS) return UNKNOWN_LIST;
    return { kind: left.kind, items: [...left.items, ...right.items], open: false, madeIn };
  }
  // Only a list can be added to a list.
  return isListLike(left) || isListLike(right) ? UNKNOWN_LIST : UNKNOWN;
}

function repeat(sequence: SequenceValue, times: bigint | number, madeIn: number): PythonValue {
  const count = Number(times);
  if (sequence.open || Math.max(sequence.items.length, 1) * count > MAX_ITEMS)
    return sequence.kind === 'list' ? UNKNOWN_LIST : UNKNOWN;
  const items = Array.from({ length: Math.max(count, 0) }, () => sequence.items).flat();
  return { kind: sequence.kind, items, open: false, madeIn };
}

/** Entries of the right side win. With a right side that is not known, the result has more entries than are known. */
function uniteDicts(left: DictValue, right: PythonValue, madeIn: number): DictValue {
  const united: DictValue = { ...left, entries: new Map(left.entries), madeIn };
  addEntries(united, right);
  return united;
}

function calculate(operator: string, left: bigint | number, right: bigint | number): PythonValue {
  const value =
    typeof left === 'bigint' && typeof right === 'bigint' && operator !== '/'
      ? calculateInteger(operator, left, right)
      : calculateFloat(operator, Number(left), Number(right));
  return value === undefined ? UNKNOWN : { kind: 'number', value };
}

function calculateInteger(operator: string, left: bigint, right: bigint): bigint | number | undefined {
  const isSmall = [left, right].every((value) => value < 1n << MAX_BITS && value > -(1n << MAX_BITS));
  if (!isSmall) return undefined;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '**':
      return right < 0n || right > MAX_BITS || left > 1024n || left < -1024n ? undefined : left ** right;
    case '<<':
      return right < 0n || right > MAX_BITS ? undefined : left << right;
    case '//':
      // Python rounds down.
      return right === 0n ? undefined : (left - (((left % right) + right) % right)) / right;
    default:
      return undefined;
  }
}

function calculateFloat(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : left / right;
    default:
      return undefined;
  }
}

/** The value of a number as the source writes it. */
export function readNumber(source: string): PythonValue {
  const text = source.replaceAll('_', '');
  if (/^(?:0[xob][\da-f]+|\d+)$/i.test(text)) {
    // Parsing takes the square of the length.
    return text.length > 400 ? UNKNOWN : { kind: 'number', value: BigInt(text) };
  }
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'number', value } : UNKNOWN;
}
