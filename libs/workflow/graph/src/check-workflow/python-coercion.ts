import type { JsonValue } from '../json/json-value.js';

/** The engine is written in Python; these functions follow its int(), float() and comparisons. */

/** Result of a conversion for which Python would raise. */
export const FAILED = Symbol('failed');
export type Converted<T> = T | typeof FAILED;

/** Maximum digits that Python's int() reads from a string. */
const MAX_INT_DIGITS = 4300;
/** Longer texts are not numbers: room for that many digits of two units each, with underscores between. */
const MAX_NUMBER_TEXT = 3 * MAX_INT_DIGITS + 1;
const INT_TEXT = /^[+-]?\p{Nd}+(?:_\p{Nd}+)*$/u;
const FLOAT_TEXT = /^[+-]?(?:\d+(?:_\d+)*\.?|\d+(?:_\d+)*\.\d+(?:_\d+)*|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const FLOAT_WORD = /^([+-]?)(inf|infinity|nan)$/i;
const DECIMAL_DIGIT = /\p{Nd}/u;
const PYTHON_SPACES = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING_SPACE = new RegExp(`^[${PYTHON_SPACES}]+`);
const LEADING_ASCII_SPACE = /^[\t-\r ]+/;

/** Python's int(value): truncates floats, reads decimal digits of any script and single underscores between them. */
export function toPythonInt(value: JsonValue): Converted<number | bigint> {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : FAILED;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return FAILED;
  const text = strip(value);
  if (text.length > MAX_NUMBER_TEXT || !INT_TEXT.test(text)) return FAILED;
  const digits = asciiDigits(text.replaceAll('_', ''));
  const sign = digits.startsWith('-') ? -1n : 1n;
  const bare = digits.replace(/^[+-]/, '');
  return bare.length > MAX_INT_DIGITS ? FAILED : sign * BigInt(bare);
}

/** Python's float(value): also reads inf, infinity and nan in any letter case. */
export function toPythonFloat(value: JsonValue): Converted<number> {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return finiteOrFailed(Number(value));
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return FAILED;
  const stripped = strip(value);
  if (stripped.length > MAX_NUMBER_TEXT) return FAILED;
  const text = asciiDigits(stripped);
  const word = FLOAT_WORD.exec(text);
  if (word !== null) {
    if (word[2]!.toLowerCase() === 'nan') return NaN;
    return word[1] === '-' ? -Infinity : Infinity;
  }
  return FLOAT_TEXT.test(text) ? Number(text.replaceAll('_', '')) : FAILED;
}

/** The number to compare with `<` and `>`; FAILED if Python would raise a TypeError. */
export function comparable(value: JsonValue): Converted<number | bigint> {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? Number(value) : FAILED;
}

/**
 * A key that is equal for two JSON values exactly if Python's `==` holds: 1, 1.0 and true share one, "1" has another.
 * Strings, the common case, are their own key; other values, and strings that could be confused with them, are prefixed
 * with NUL.
 */
export function equalityKey(value: JsonValue): string {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\0s${value}` : value;
  if (typeof value === 'boolean') return `\0n${Number(value)}`;
  if (typeof value === 'number') return `\0n${Object.is(value, -0) ? 0 : value}`;
  if (typeof value === 'bigint') return `\0n${value}`;
  if (value === null) return '\0z';
  if (Array.isArray(value)) return `\0a${JSON.stringify(value.map(equalityKey))}`;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, equalityKey(value[key]!)]);
  return `\0o${JSON.stringify(entries)}`;
}

function finiteOrFailed(value: number): Converted<number> {
  return Number.isFinite(value) ? value : FAILED;
}

/**
 * The whitespace that int() and float() strip: C's six spaces in an ASCII text, all Unicode spaces in others. The end
 * is trimmed by hand because a pattern could take quadratic time there.
 */
function strip(text: string): string {
  const spaces = isAscii(text) ? LEADING_ASCII_SPACE : LEADING_SPACE;
  let end = text.length;
  while (end > 0 && spaces.test(text[end - 1]!)) end--;
  return text.slice(0, end).replace(spaces, '');
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false;
  return true;
}

function asciiDigits(text: string): string {
  let result = '';
  for (const char of text) {
    const code = char.codePointAt(0)!;
    result += code >= 0x80 && DECIMAL_DIGIT.test(char) ? String(digitValue(code)) : char;
  }
  return result;
}

/** Unicode lists the digits of a script consecutively, so the offset from 0 is the value. */
function digitValue(code: number): number {
  let start = code;
  while (DECIMAL_DIGIT.test(String.fromCodePoint(start - 1))) start--;
  return (code - start) % 10;
}
