/** Bytes of WebAssembly code. An instruction comes after the code of its operands, so calls nest as expressions do. */
export type Code = readonly number[];

export type ValueType = 'i32' | 'f64' | 'v128';

/** One code after the other. */
export function joined(parts: readonly Code[]): Code {
  const code: number[] = [];
  for (const part of parts) for (const byte of part) code.push(byte);
  return code;
}

/** LEB128 of an unsigned integer. */
export function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** LEB128 of a signed integer of 32 bits. */
function signed(value: number): Code {
  const last = value >= -0x40 && value < 0x40;
  return last ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

/** A parameter or local variable of a function. */
export class Variable {
  readonly get: Code;

  constructor(private readonly index: number) {
    this.get = [0x20, ...unsigned(index)];
  }

  set(value: Code): Code {
    return [...value, 0x21, ...unsigned(this.index)];
  }

  /** Adds to an i32. */
  step(by: number): Code {
    return this.set(add(this.get, constant(by)));
  }
}

export function constant(value: number): Code {
  return [0x41, ...signed(value)];
}

export function add(a: Code, b: Code): Code {
  return [...a, ...b, 0x6a];
}

/** Runs `body` until `variable` is no longer below `end`; at least once. Both are unsigned i32. */
export function repeatBelow(variable: Variable, end: Code, ...body: readonly Code[]): Code {
  return [0x03, 0x40, ...joined(body), ...variable.get, ...end, 0x49, 0x0d, 0x00, 0x0b];
}

/** Runs `body` while `variable` is below `end`; perhaps never. */
export function whileBelow(variable: Variable, end: Code, ...body: readonly Code[]): Code {
  return [0x02, 0x40, ...variable.get, ...end, 0x4f, 0x0d, 0x00, ...repeatBelow(variable, end, ...body), 0x0b];
}

type Operation = (...operands: readonly Code[]) => Code;
type MemoryOperation = (address: Code, offset?: number) => Code;

/** Alignment is a hint that may be less than the true one; none is given. */
const place = (offset: number): Code => [0x00, ...unsigned(offset)];
const vector = (opcode: number): Code => [0xfd, ...unsigned(opcode)];
const plain =
  (opcode: Code): Operation =>
  (...operands) =>
    joined([...operands, opcode]);
const load =
  (opcode: Code): MemoryOperation =>
  (address, offset = 0) => [...address, ...opcode, ...place(offset)];

export const loadInteger = load([0x28]);
export const loadVector = load(vector(0x00));
/** Eight or four bytes, the rest of the vector zero or a repetition. */
export const load64Zero = load(vector(0x5d));
export const load32Zero = load(vector(0x5c));
export const load32Splat = load(vector(0x09));
export const load64Splat = load(vector(0x0a));

export function storeVector(address: Code, value: Code, offset = 0): Code {
  return [...address, ...value, ...vector(0x0b), ...place(offset)];
}

/** The first four bytes of a vector. */
export function store32(address: Code, value: Code): Code {
  return [...address, ...value, ...vector(0x5a), ...place(0), 0];
}

/** The float32 of all four lanes, or the byte of all sixteen. */
export function floats(value: number): Code {
  const bytes = new Uint8Array(Float32Array.of(value, value, value, value).buffer);
  return [...vector(0x0c), ...bytes];
}

export function doubles(value: number): Code {
  return [...vector(0x0c), ...new Uint8Array(Float64Array.of(value, value).buffer)];
}

export function integers(value: number): Code {
  return [...vector(0x0c), ...new Uint8Array(Int32Array.of(value, value, value, value).buffer)];
}

/** Picks 16 bytes of two vectors; `lanes` from 16 on are those of `b`. */
export function shuffle(a: Code, b: Code, lanes: readonly number[]): Code {
  return [...a, ...b, ...vector(0x0d), ...lanes];
}

/** For `shuffle`: the lower or upper eight bytes of both, one after the other. */
export const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
export const HIGH_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];

/** The bytes of `a` at the indices in `b`, zero for an index beyond. */
export const pickBytes = plain(vector(0x0e));

export const splatDouble = plain(vector(0x14));

export const addDoubles = plain(vector(0xf0));
export const subtractDoubles = plain(vector(0xf1));
export const multiplyDoubles = plain(vector(0xf2));
/** `b < a ? b : a`, and with the lesser sign reversed: a NaN as `a` stays. */
export const lesserDoubles = plain(vector(0xf6));
export const greaterDoubles = plain(vector(0xf7));
/** Two float32, the lower ones, as doubles, and back with zeros above. */
export const toDoubles = plain(vector(0x5f));
export const toSingles = plain(vector(0x5e));

export const addFloats = plain(vector(0xe4));
export const multiplyFloats = plain(vector(0xe6));
export const divideFloats = plain(vector(0xe7));
/** Cut, NaN as 0, and what is too large as the nearest integer. */
export const cutFloats = plain(vector(0xf8));
export const integersToFloats = plain(vector(0xfa));

export const addIntegers = plain(vector(0xae));
export const shiftLeft = plain(vector(0xab));
export const shiftRight = plain(vector(0xac));
/** Products of eight signed 16-bit integers, those of neighbours added. */
export const dotProducts = plain(vector(0xba));
/** Integers of twice the width, without sign, of the lower and the upper half. */
export const widenLowBytes = plain(vector(0x89));
export const widenHighBytes = plain(vector(0x8a));
export const widenLowShorts = plain(vector(0xa9));
/** Two vectors as one of half the width, clamped: signed 16 bits, and bytes. */
export const narrowIntegers = plain(vector(0x85));
export const narrowShorts = plain(vector(0x66));
