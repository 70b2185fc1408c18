import {
  add,
  addIntegers,
  cutFloats,
  divideFloats,
  dotProducts,
  floats,
  integers,
  integersToFloats,
  constant,
  load32Splat,
  load32Zero,
  load64Zero,
  loadInteger,
  loadVector,
  multiplyFloats,
  narrowIntegers,
  narrowShorts,
  pickBytes,
  repeatBelow,
  shiftLeft,
  shiftRight,
  shuffle,
  store32,
  storeVector,
  widenHighBytes,
  widenLowBytes,
  widenLowShorts,
  type Code,
  type Variable,
} from './wasm-code.js';
import { WasmFunction } from './wasm-module.js';

/**
 * Weights have 22 fractional bits, more than a product of 16-bit integers takes: each is split into `high * 2^11 + low`.
 * Sums of integers are exact, so nothing is lost by it.
 */
export const WEIGHT_BITS = 22;
export const LOW_BITS = 11;
const HALF = 1 << (WEIGHT_BITS - 1);
/** Two neighbouring samples' weights: both high parts, then both low ones, of 16 bits each. */
export const WEIGHT_PAIR_BYTES = 8;
/** Two lines' addresses and their pair of weights. */
export const LINE_PAIR_BYTES = 8 + WEIGHT_PAIR_BYTES;
/** Bytes are computed in groups of so many; lines are that much longer than what they hold. */
export const BYTE_GROUP = 16;
/** A pixel and its neighbour, at most four channels of 16 bits each. */
export const PIXEL_PAIR_BYTES = 16;

const VECTOR_BYTES = 16;
const QUARTERS = [0, 1, 2, 3];

/** Rounded and cut to what the weights' fractional bits leave. */
function roundedSum(high: Code, low: Code): Code {
  const sum = addIntegers(shiftLeft(high, constant(LOW_BITS)), low);
  return shiftRight(addIntegers(sum, integers(HALF)), constant(WEIGHT_BITS));
}

/**
 * `(from, to, toEnd, channels, lanes)`: for each pixel of a row a vector of its channels as 16-bit integers, each beside
 * the same channel of the next pixel; `lanes` is the address of the 16 byte indices that say so.
 */
export function pairPixels(): WasmFunction {
  const pairs = new WasmFunction('pairPixels');
  const [from, to, toEnd, channels, lanes] = [
    pairs.parameter(),
    pairs.parameter(),
    pairs.parameter(),
    pairs.parameter(),
    pairs.parameter(),
  ];
  const picked = pairs.local('v128');
  return pairs.does(
    picked.set(loadVector(lanes.get)),
    repeatBelow(
      to,
      toEnd.get,
      storeVector(to.get, pickBytes(load64Zero(from.get), picked.get)),
      from.set(add(from.get, channels.get)),
      to.step(PIXEL_PAIR_BYTES),
    ),
  );
}

/** The byte indices for `pairPixels`; one beyond the vector stands for a zero. */
export function pairLanes(channels: number): readonly number[] {
  const zero = 0xff;
  return QUARTERS.flatMap((c) => (c < channels ? [c, zero, c + channels, zero] : [zero, zero, zero, zero]));
}

/**
 * `(starts, startsEnd, weights, pairBytes, to, channels)`: each new pixel of a row is the weighted sum of neighbouring
 * ones, from its start (the address of a pixel pair) on, as many pairs for each; clamped to bytes.
 */
export function columnSums(): WasmFunction {
  const sum = new WasmFunction('columnSums');
  const [starts, startsEnd, weights] = [sum.parameter(), sum.parameter(), sum.parameter()];
  const [pairBytes, to, channels] = [sum.parameter(), sum.parameter(), sum.parameter()];
  const [at, weightsEnd] = [sum.local(), sum.local()];
  const [high, low, pair] = [sum.local('v128'), sum.local('v128'), sum.local('v128')];
  return sum.does(
    repeatBelow(
      starts,
      startsEnd.get,
      at.set(loadInteger(starts.get)),
      weightsEnd.set(add(weights.get, pairBytes.get)),
      high.set(integers(0)),
      low.set(integers(0)),
      repeatBelow(
        weights,
        weightsEnd.get,
        pair.set(loadVector(at.get)),
        addProducts(high, pair.get, load32Splat(weights.get)),
        addProducts(low, pair.get, load32Splat(weights.get, 4)),
        at.step(2 * PIXEL_PAIR_BYTES),
        weights.step(WEIGHT_PAIR_BYTES),
      ),
      pair.set(narrowIntegers(roundedSum(high.get, low.get), integers(0))),
      store32(to.get, narrowShorts(pair.get, integers(0))),
      to.set(add(to.get, channels.get)),
      starts.step(4),
    ),
  );
}

/** `(table, tableEnd, to, bytes)`: a row is the weighted sum of pairs of rows; clamped to bytes. */
export function rowSums(): WasmFunction {
  const sum = new WasmFunction('rowSums');
  const [table, tableEnd, to, bytes] = [sum.parameter(), sum.parameter(), sum.parameter(), sum.parameter()];
  const [at, entry] = [sum.local(), sum.local()];
  const [first, second, mixed, shorts] = QUARTERS.map(() => sum.local('v128')) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [high, low] = [sum.local('v128'), sum.local('v128')];
  const sums = QUARTERS.map(() => ({ high: sum.local('v128'), low: sum.local('v128') }));
  const row = (offset: number): Code => loadVector(add(loadInteger(entry.get, offset), at.get));
  const rounded = QUARTERS.map((i) => roundedSum(sums[i]?.high.get ?? [], sums[i]?.low.get ?? []));
  const [r0, r1, r2, r3] = rounded as [Code, Code, Code, Code];
  return sum.does(
    repeatBelow(
      at,
      bytes.get,
      ...sums.flatMap((quarter) => [quarter.high.set(integers(0)), quarter.low.set(integers(0))]),
      entry.set(table.get),
      repeatBelow(
        entry,
        tableEnd.get,
        first.set(row(0)),
        second.set(row(4)),
        high.set(load32Splat(entry.get, 8)),
        low.set(load32Splat(entry.get, 12)),
        ...sums.flatMap((quarter, i) => [
          ...(i % 2 === 0 ? [mixed.set(alternated(first.get, second.get, i / 2))] : []),
          shorts.set(i % 2 === 0 ? widenLowBytes(mixed.get) : widenHighBytes(mixed.get)),
          addProducts(quarter.high, shorts.get, high.get),
          addProducts(quarter.low, shorts.get, low.get),
        ]),
        entry.step(LINE_PAIR_BYTES),
      ),
      storeVector(add(to.get, at.get), narrowShorts(narrowIntegers(r0, r1), narrowIntegers(r2, r3))),
      at.step(VECTOR_BYTES),
    ),
  );
}

/** Bytes of the lower (0) or upper (1) halves, one of the first, one of the second. */
function alternated(first: Code, second: Code, half: number): Code {
  const lanes = Array.from({ length: VECTOR_BYTES }, (_, i) => half * 8 + (i >> 1) + (i % 2) * VECTOR_BYTES);
  return shuffle(first, second, lanes);
}

function addProducts(sum: Variable, samples: Code, weights: Code): Code {
  return sum.set(addIntegers(sum.get, dotProducts(samples, weights)));
}

/** `(from, to, fromEnd)`: float32 as bytes, as `quantise` does it; sixteen at a time. */
export function quantiseRow(): WasmFunction {
  const quantise = new WasmFunction('quantiseRow');
  const [from, to, end] = [quantise.parameter(), quantise.parameter(), quantise.parameter()];
  const four = (i: number): Code => cutFloats(multiplyFloats(loadVector(from.get, i * VECTOR_BYTES), floats(255)));
  return quantise.does(
    repeatBelow(
      from,
      end.get,
      storeVector(to.get, narrowShorts(narrowIntegers(four(0), four(1)), narrowIntegers(four(2), four(3)))),
      from.step(4 * VECTOR_BYTES),
      to.step(VECTOR_BYTES),
    ),
  );
}

/** `(from, to, fromEnd)`: bytes as float32 0..1, as `toUnit` does it; four at a time. */
export function unitRow(): WasmFunction {
  const unit = new WasmFunction('unitRow');
  const [from, to, end] = [unit.parameter(), unit.parameter(), unit.parameter()];
  const four = widenLowShorts(widenLowBytes(load32Zero(from.get)));
  return unit.does(
    repeatBelow(
      from,
      end.get,
      storeVector(to.get, divideFloats(integersToFloats(four), floats(255))),
      from.step(4),
      to.step(VECTOR_BYTES),
    ),
  );
}
