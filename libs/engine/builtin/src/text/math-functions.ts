import { NodeError } from '../execution/node-error.js';
import { pythonRound } from '../pixels/python-round.js';
import { isTrue, numeric, type MathValue } from './math-values.js';

/** Largest exponent and largest number of bits of a whole result. */
const MAX_POWER = 4000;
const MAX_BITS = 200_000;

type Num = number | bigint;

/** Applies one of the functions or operators that an expression may use, with Python's meaning. */
export function callFunction(name: string, args: readonly MathValue[]): MathValue {
  const implementation = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!implementation) {
    throw new NodeError('simpleeval.FunctionNotDefined', `Function '${name}' not defined, for expression`);
  }
  const result = implementation(args);
  if (typeof result === 'bigint' && result.toString(16).length * 4 > MAX_BITS) {
    throw new NodeError('simpleeval.NumberTooHigh', 'the result is too large');
  }
  return result;
}

const FUNCTIONS: Readonly<Record<string, (args: readonly MathValue[]) => MathValue>> = {
  'operator +': two(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  'operator -': two(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  'operator *': two(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  'operator /': (args) => {
    const [a, b] = pair(args);
    if (Number(b) === 0)
      throw zero(typeof a === 'bigint' && typeof b === 'bigint' ? 'division by zero' : 'float division by zero');
    return Number(a) / Number(b);
  },
  'operator //': two(floorDivide, (a, b) => Math.floor(nonZero(a, b) / b)),
  'operator %': two(
    (a, b) => a - floorDivide(a, b) * b,
    (a, b) => nonZero(a, b) - Math.floor(a / b) * b,
  ),
  'operator **': (args) => power(...pair(args)),
  pow: (args) => power(...pair(args)),
  sum: (args) => spread(args).reduce<MathValue>((total, value) => callFunction('operator +', [total, value]), 0n),
  min: (args) => best(spread(args), (a, b) => a < b),
  max: (args) => best(spread(args), (a, b) => a > b),
  abs: ([value]) => {
    const number = single(value);
    return number < 0 ? -number : number;
  },
  round: ([value, digits]) => rounded(single(value), digits === undefined ? null : Number(single(digits))),
  sqrt: one((value) => domain(value >= 0, Math.sqrt(value))),
  ceil: ([value]) => whole(single(value), Math.ceil),
  floor: ([value]) => whole(single(value), Math.floor),
  log: ([value, base]) => {
    const x = Number(single(value));
    const result = domain(x > 0, Math.log(x));
    return base === undefined ? result : result / Math.log(Number(single(base)));
  },
  log2: one((value) => domain(value > 0, Math.log2(value))),
  log10: one((value) => domain(value > 0, Math.log10(value))),
  sin: one(Math.sin),
  cos: one(Math.cos),
  tan: one(Math.tan),
  int: ([value]) => whole(single(value), Math.trunc),
  float: ([value]) => Number(single(value)),
  bool: ([value]) => value !== undefined && isTrue(value),
};

function two(whole: (a: bigint, b: bigint) => bigint, float: (a: number, b: number) => number) {
  return (args: readonly MathValue[]): MathValue => {
    const [a, b] = pair(args);
    return typeof a === 'bigint' && typeof b === 'bigint' ? whole(a, b) : float(Number(a), Number(b));
  };
}

function one(apply: (value: number) => number) {
  return ([value]: readonly MathValue[]): MathValue => apply(Number(single(value)));
}

function pair(args: readonly MathValue[]): [Num, Num] {
  return [single(args[0]), single(args[1])];
}

function single(value: MathValue | undefined): Num {
  if (value === undefined) throw new NodeError('TypeError', 'a function got too few arguments');
  return numeric(value);
}

function spread(args: readonly MathValue[]): readonly MathValue[] {
  const [first] = args;
  return args.length === 1 && Array.isArray(first) ? (first as readonly MathValue[]) : args;
}

function best(values: readonly MathValue[], better: (a: Num, b: Num) => boolean): MathValue {
  const [first] = values;
  if (first === undefined) throw new NodeError('ValueError', 'min() or max() of nothing');
  return values.reduce((kept, value) => (better(numeric(value), numeric(kept)) ? value : kept), first);
}

function power(base: Num, exponent: Num): Num {
  if (Math.abs(Number(exponent)) > MAX_POWER) {
    throw new NodeError('ValueError', `Exponent ${String(exponent)} exceeds maximum allowed (${MAX_POWER})`);
  }
  if (typeof base === 'bigint' && typeof exponent === 'bigint' && exponent >= 0n) {
    if (base.toString(16).length * 4 * Number(exponent) > MAX_BITS) {
      throw new NodeError('simpleeval.NumberTooHigh', 'the result is too large');
    }
    return base ** exponent;
  }
  if (Number(base) === 0 && Number(exponent) < 0) throw zero('0.0 cannot be raised to a negative power');
  const result = Number(base) ** Number(exponent);
  if (!Number.isFinite(result) && Number.isFinite(Number(base))) {
    throw new NodeError('OverflowError', "(34, 'Numerical result out of range')");
  }
  return result;
}

function rounded(value: Num, digits: number | null): Num {
  if (typeof value === 'bigint') return value;
  if (digits === null) return whole(value, pythonRound);
  const text = Math.abs(value) < 1e21 && digits >= 0 && digits <= 20 ? value.toFixed(digits) : String(value);
  return Number(text);
}

function whole(value: Num, cut: (value: number) => number): bigint {
  if (typeof value === 'bigint') return value;
  if (Number.isNaN(value)) throw new NodeError('ValueError', 'cannot convert float NaN to integer');
  if (!Number.isFinite(value)) throw new NodeError('OverflowError', 'cannot convert float infinity to integer');
  return BigInt(cut(value));
}

function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw zero('integer division or modulo by zero');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function nonZero(a: number, b: number): number {
  if (b === 0) throw zero('float floor division by zero');
  return a;
}

function domain(holds: boolean, result: number): number {
  if (holds) return result;
  throw new NodeError('ValueError', 'math domain error');
}

function zero(message: string): NodeError {
  return new NodeError('ZeroDivisionError', message);
}
