import {
  add,
  addDoubles,
  LOW_HALVES,
  HIGH_HALVES,
  load32Splat,
  loadInteger,
  loadVector,
  multiplyDoubles,
  multiplyFloats,
  repeatBelow,
  shuffle,
  storeVector,
  toDoubles,
  toSingles,
  whileBelow,
  type Code,
  type Variable,
} from './wasm-code.js';
import { WasmFunction } from './wasm-module.js';

/** One tap in a table: the address or offset of its samples and its weight, a float32. */
export const TAP_BYTES = 8;
/** Samples are summed in groups of so many; lines are that much longer than what they hold. */
export const FUSED_GROUP = 4;
/** A pixel's channels lie in one vector. */
export const MAX_CHANNELS = 4;

const VECTOR_BYTES = 16;

/**
 * `(from, taps, tapsEnd, tapBytes, to, pixelBytes)`: each new pixel of a row is a fused sum of those of another, whose
 * offsets from `from` the taps give; all have as many taps, `tapBytes` of them. Whole vectors are stored; what is too much the next pixel overwrites.
 */
export function fusedColumns(): WasmFunction {
  const sum = new WasmFunction('fusedColumns');
  const [from, taps, tapsEnd] = [sum.parameter(), sum.parameter(), sum.parameter()];
  const [tapBytes, to, pixelBytes] = [sum.parameter(), sum.parameter(), sum.parameter()];
  const end = sum.local();
  const [total, samples, weight] = [sum.local('v128'), sum.local('v128'), sum.local('v128')];
  const tap = [samples.set(loadVector(add(from.get, loadInteger(taps.get)))), weight.set(load32Splat(taps.get, 4))];
  return sum.does(
    repeatBelow(
      taps,
      tapsEnd.get,
      end.set(add(taps.get, tapBytes.get)),
      ...tap,
      total.set(multiplyFloats(samples.get, weight.get)),
      taps.step(TAP_BYTES),
      whileBelow(taps, end.get, ...tap, total.set(fused(samples, weight, total)), taps.step(TAP_BYTES)),
      storeVector(to.get, total.get),
      to.set(add(to.get, pixelBytes.get)),
    ),
  );
}

/** `(taps, tapsEnd, to, bytes)`: a row is the fused sum of others, of so many bytes. */
export function fusedRows(): WasmFunction {
  const sum = new WasmFunction('fusedRows');
  const [taps, tapsEnd, to, bytes] = [sum.parameter(), sum.parameter(), sum.parameter(), sum.parameter()];
  const [at, tap] = [sum.local(), sum.local()];
  const [total, samples, weight] = [sum.local('v128'), sum.local('v128'), sum.local('v128')];
  const row = [samples.set(loadVector(add(loadInteger(tap.get), at.get))), weight.set(load32Splat(tap.get, 4))];
  return sum.does(
    repeatBelow(
      at,
      bytes.get,
      tap.set(taps.get),
      ...row,
      total.set(multiplyFloats(samples.get, weight.get)),
      tap.step(TAP_BYTES),
      whileBelow(tap, tapsEnd.get, ...row, total.set(fused(samples, weight, total)), tap.step(TAP_BYTES)),
      storeVector(add(to.get, at.get), total.get),
      at.step(VECTOR_BYTES),
    ),
  );
}

/** `samples * weight + total` of four float32, rounded once: a product of two float32 is exact in double precision. */
function fused(samples: Variable, weight: Variable, total: Variable): Code {
  const half = (part: (vector: Code) => Code): Code =>
    toSingles(
      addDoubles(multiplyDoubles(toDoubles(part(samples.get)), toDoubles(weight.get)), toDoubles(part(total.get))),
    );
  return shuffle(
    half((vector) => vector),
    half((vector) => shuffle(vector, vector, HIGH_HALVES)),
    LOW_HALVES,
  );
}
