import {
  add,
  addDoubles,
  greaterDoubles,
  doubles,
  lesserDoubles,
  LOW_HALVES,
  load64Splat,
  load64Zero,
  loadInteger,
  loadVector,
  multiplyDoubles,
  repeatBelow,
  shuffle,
  splatDouble,
  storeVector,
  subtractDoubles,
  toDoubles,
  toSingles,
  whileBelow,
  type Code,
} from './wasm-code.js';
import { WasmFunction } from './wasm-module.js';

/** Samples are summed in groups of so many; lines are that much longer than what they hold. */
export const SUM_GROUP = 8;
/** One pair of lines and its weight in the table of a sum: two addresses, a double. */
export const SUM_ENTRY_BYTES = 16;

const VECTORS = [0, 1, 2, 3];
const VECTOR_BYTES = 16;
const GROUP_BYTES = SUM_GROUP * Float64Array.BYTES_PER_ELEMENT;

/**
 * `(table, tableEnd, to, bytes)`: `to` becomes the middle line times its weight, plus, pair by pair, the sum of its two
 * lines times their common weight; all in double precision, `bytes` of doubles long. The table's first entry is the
 * middle, the others are pairs.
 */
function weightedSum(name: string, keep: 'doubles' | 'singles'): WasmFunction {
  const sum = new WasmFunction(name);
  const [table, tableEnd, to, bytes] = [sum.parameter(), sum.parameter(), sum.parameter(), sum.parameter()];
  const [at, entry, left, right] = [sum.local(), sum.local(), sum.local(), sum.local()];
  const weight = sum.local('v128');
  const sums = VECTORS.map(() => sum.local('v128'));
  const line = (offset: number): Code => add(loadInteger(entry.get, offset), at.get);
  const whole = (address: Code, i: number): Code => loadVector(address, i * VECTOR_BYTES);
  const total = (i: number): Code => sums[i]?.get ?? [];
  return sum.does(
    repeatBelow(
      at,
      bytes.get,
      entry.set(table.get),
      left.set(line(0)),
      weight.set(load64Splat(entry.get, 8)),
      ...sums.map((lane, i) => lane.set(multiplyDoubles(weight.get, whole(left.get, i)))),
      entry.step(SUM_ENTRY_BYTES),
      whileBelow(
        entry,
        tableEnd.get,
        left.set(line(0)),
        right.set(line(4)),
        weight.set(load64Splat(entry.get, 8)),
        ...sums.map((lane, i) =>
          lane.set(
            addDoubles(lane.get, multiplyDoubles(weight.get, addDoubles(whole(left.get, i), whole(right.get, i)))),
          ),
        ),
        entry.step(SUM_ENTRY_BYTES),
      ),
      keep === 'doubles'
        ? VECTORS.flatMap((i) => storeVector(to.get, total(i), i * VECTOR_BYTES))
        : [0, 1].flatMap((i) => storeVector(to.get, bothSingles(total(2 * i), total(2 * i + 1)), i * VECTOR_BYTES)),
      to.step(keep === 'doubles' ? GROUP_BYTES : GROUP_BYTES / 2),
      at.step(GROUP_BYTES),
    ),
  );
}

export function sumToDoubles(): WasmFunction {
  return weightedSum('sumToDoubles', 'doubles');
}

export function sumToSingles(): WasmFunction {
  return weightedSum('sumToSingles', 'singles');
}

/** `(from, to, fromEnd)`: float32 as doubles, four at a time. */
export function widenSamples(): WasmFunction {
  const widen = new WasmFunction('widenSamples');
  const [from, to, end] = [widen.parameter(), widen.parameter(), widen.parameter()];
  return widen.does(
    repeatBelow(
      from,
      end.get,
      storeVector(to.get, toDoubles(load64Zero(from.get))),
      storeVector(to.get, toDoubles(load64Zero(from.get, 8)), VECTOR_BYTES),
      from.step(VECTOR_BYTES),
      to.step(2 * VECTOR_BYTES),
    ),
  );
}

/**
 * `(from, blurred, fromEnd, strength)`: `blurred` becomes `from + strength * (from - blurred)` in double precision,
 * clamped to 0..1 and rounded to float32; four at a time.
 */
export function sharpenSamples(): WasmFunction {
  const sharpen = new WasmFunction('sharpenSamples');
  const [from, blurred, end, strength] = [
    sharpen.parameter(),
    sharpen.parameter(),
    sharpen.parameter(),
    sharpen.parameter('f64'),
  ];
  const [factor, value] = [sharpen.local('v128'), sharpen.local('v128')];
  const halves = [sharpen.local('v128'), sharpen.local('v128')];
  const sharp = (offset: number): Code =>
    addDoubles(
      value.get,
      multiplyDoubles(factor.get, subtractDoubles(value.get, toDoubles(load64Zero(blurred.get, offset)))),
    );
  return sharpen.does(
    factor.set(splatDouble(strength.get)),
    repeatBelow(
      from,
      end.get,
      ...halves.flatMap((half, i) => [
        value.set(toDoubles(load64Zero(from.get, i * 8))),
        half.set(greaterDoubles(lesserDoubles(sharp(i * 8), doubles(1)), doubles(0))),
      ]),
      storeVector(blurred.get, bothSingles(halves[0]?.get ?? [], halves[1]?.get ?? [])),
      from.step(VECTOR_BYTES),
      blurred.step(VECTOR_BYTES),
    ),
  );
}

/** Four doubles as float32. */
function bothSingles(low: Code, high: Code): Code {
  return shuffle(toSingles(low), toSingles(high), LOW_HALVES);
}
