import { NodeError } from '../execution/node-error.js';
import { pythonFloat, pythonRepr } from '../graph/python-text.js';

const SPEC = /^(?:(.)?([<>=^]))?([+\- ])?(#)?(0)?(\d*)([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su;
const MAX_WIDTH = 1_000_000;
/** A double has no room for the middle between more places. */
const MAX_HALVES = 50;

type Plain = string | number | bigint | boolean | null;

/** Python's format specification for texts, integers and floats: fill, alignment, sign, width, grouping, precision. */
export function formatSpec(value: Plain, spec: string): string {
  if (spec === '' && typeof value === 'string') return value;
  const found = SPEC.exec(spec);
  if (!found) throw new NodeError('ValueError', `Invalid format specifier '${spec}'`);
  const [, fill, align, sign = '-', alternate, zero, widthText = '', group = '', precisionText, type = ''] = found;
  const width = Number(widthText || 0);
  const precision = precisionText === undefined ? null : Number(precisionText);
  if (width > MAX_WIDTH || (precision ?? 0) > MAX_WIDTH)
    throw new NodeError('ValueError', 'Too many decimal digits in format string');
  if (typeof value === 'string' || value === null) {
    if (value === null) throw new NodeError('TypeError', 'unsupported format string passed to NoneType.__format__');
    if (type !== '' && type !== 's') throw unknownCode(type, 'str');
    const cut = precision === null ? value : Array.from(value).slice(0, precision).join('');
    return pad('', cut, align ?? '<', fill ?? (zero ? '0' : ' '), width);
  }
  const { negative, digits } = numberText(value, type, precision, alternate !== undefined);
  const prefix = negative ? '-' : sign === '-' ? '' : sign;
  const body = group === '' ? digits : grouped(digits, group);
  return pad(prefix, body, align ?? (zero ? '=' : '>'), fill ?? (zero ? '0' : ' '), width);
}

function pad(prefix: string, body: string, align: string, fill: string, width: number): string {
  const missing = Math.max(0, width - Array.from(prefix + body).length);
  if (align === '=') return prefix + fill.repeat(missing) + body;
  const left = align === '>' ? missing : align === '^' ? Math.floor(missing / 2) : 0;
  return fill.repeat(left) + prefix + body + fill.repeat(missing - left);
}

function grouped(digits: string, mark: string): string {
  const [whole = '', ...rest] = digits.split(/(?=[.eE%])/);
  return whole.replace(/\B(?=(?:\d{3})+$)/g, mark) + rest.join('');
}

function numberText(
  value: number | bigint | boolean,
  type: string,
  precision: number | null,
  alternate: boolean,
): { negative: boolean; digits: string } {
  const whole = typeof value === 'boolean' ? BigInt(value) : value;
  if (typeof whole === 'bigint' && (type === '' || 'bcdoxXn'.includes(type))) return wholeText(whole, type, alternate);
  if (type !== '' && 'bcdoxXs'.includes(type)) throw unknownCode(type, typeof whole === 'bigint' ? 'int' : 'float');
  const float = Number(whole);
  const negative = float < 0 || Object.is(float, -0);
  return { negative, digits: floatText(Math.abs(float), type, precision) };
}

function wholeText(value: bigint, type: string, alternate: boolean): { negative: boolean; digits: string } {
  const size = value < 0n ? -value : value;
  const bases: Readonly<Record<string, readonly [number, string]>> = {
    b: [2, '0b'],
    o: [8, '0o'],
    x: [16, '0x'],
    X: [16, '0X'],
  };
  if (type === 'c') return { negative: false, digits: String.fromCodePoint(Number(value)) };
  const [base, mark] = bases[type] ?? [10, ''];
  const digits = (alternate ? mark : '') + size.toString(base);
  return { negative: value < 0n, digits: type === 'X' ? digits.toUpperCase() : digits };
}

function floatText(value: number, type: string, precision: number | null): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : 'inf';
  if (type === '' && precision === null) return pythonFloat(value);
  if (type === 'f' || type === 'F') return fixed(value, precision ?? 6);
  if (type === '%') return `${fixed(value * 100, precision ?? 6)}%`;
  if (type === 'e' || type === 'E') return exponent(value, precision ?? 6, type);
  return general(value, Math.max(precision ?? 6, 1), type);
}

/** Rounded to so many places, from the middle to the even digit (`toFixed` goes away from zero). */
function fixed(value: number, places: number): string {
  const text = value.toFixed(Math.min(places, 100)) + '0'.repeat(Math.max(0, places - 100));
  // Only an odd multiple of 2^-(places + 1) lies exactly in the middle.
  const halves = Math.abs(value) * 2 ** (places + 1);
  if (places > MAX_HALVES || halves % 2 !== 1 || Number(text.at(-1)) % 2 === 0) return text;
  const below = Math.abs(value) * (1 - 2 ** -50);
  return `${value < 0 ? '-' : ''}${below.toFixed(places)}`;
}

function exponent(value: number, places: number, letter: string): string {
  const [mantissa = '0', power = '+0'] = value.toExponential(Math.min(places, 100)).split('e');
  return `${mantissa}${letter}${power[0]}${power.slice(1).padStart(2, '0')}`;
}

function general(value: number, digits: number, type: string): string {
  const power = value === 0 ? 0 : Number(value.toExponential(Math.min(digits - 1, 100)).split('e')[1]);
  const plain = power >= -4 && power < (type === '' && value !== 0 ? Math.max(digits, 1) : digits);
  const text = plain
    ? fixed(value, Math.max(0, digits - 1 - power))
    : exponent(value, digits - 1, type === 'G' ? 'E' : 'e');
  const trimmed = text.includes('.') ? text.replace(/\.?0+(?=e|E|$)/, '') : text;
  return type === '' && !/[.e]/.test(trimmed) ? `${trimmed}.0` : trimmed;
}

function unknownCode(type: string, kind: string): NodeError {
  return new NodeError('ValueError', `Unknown format code ${pythonRepr(type)} for object of type '${kind}'`);
}
