import { isJsonList, type PythonJson } from '../values/value.js';
import { pythonStr } from './python-text.js';

/** A constant that Python's `int()`, `float()` or `bool()` refuses (engine: `invalid_input_type`). */
export class CoercionError extends Error {}

/**
 * Converts a constant like the engine: unwraps `{"__value__": x}`, then applies the Python constructor of the declared type.
 * Combos and all other types keep the value.
 */
export function coerceConstant(value: PythonJson, type: string | null): PythonJson {
  const inner = value instanceof Map ? value.get('__value__') : undefined;
  const constant = inner === undefined ? value : (inner as PythonJson);
  if (type === 'INT') return toInt(constant);
  if (type === 'FLOAT') return toFloat(constant);
  if (type === 'STRING') return pythonStr(constant);
  if (type === 'BOOLEAN') return toBool(constant);
  return constant;
}

function toInt(value: PythonJson): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  if (typeof value === 'string') {
    const text = asciiDigits(value.trim());
    if (/^[+-]?[0-9]+(?:_[0-9]+)*$/.test(text) && text.length <= 4300) {
      const digits = text.replace(/[+_]/g, '');
      return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits);
    }
  }
  throw new CoercionError('not an integer');
}

function toFloat(value: PythonJson): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    const float = Number(value);
    if (Number.isFinite(float)) return float;
  }
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') {
    const text = asciiDigits(value.trim()).toLowerCase();
    const word = /^([+-]?)(nan|inf|infinity)$/.exec(text);
    if (word) return word[2] === 'nan' ? NaN : word[1] === '-' ? -Infinity : Infinity;
    const plain =
      /^[+-]?(?:[0-9]+(?:_[0-9]+)*\.?(?:[0-9]+(?:_[0-9]+)*)?|\.[0-9]+(?:_[0-9]+)*)(?:e[+-]?[0-9]+(?:_[0-9]+)*)?$/;
    if (plain.test(text)) return Number(text.replace(/_/g, ''));
  }
  throw new CoercionError('not a number');
}

function toBool(value: PythonJson): boolean {
  if (value instanceof Map) return value.size > 0;
  if (isJsonList(value)) return value.length > 0;
  return Boolean(value);
}

/** Converts decimal digits of every script, as `int()` and `float()` accept them. Unicode has them in runs of ten. */
function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let start = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1;
    return String((code - start) % 10);
  });
}
