import { fixedSeed, Random } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { blurRows, gaussianWeights } from './blur-rows.js';
import { resampleByTaps, type Taps } from './fused-taps.js';
import { lanczosWindows } from './lanczos-windows.js';
import { quantise, toUnit } from './quantise.js';
import { resampleArea } from './resample-area.js';
import { resampleLanczos } from './resample-lanczos.js';

const ROUNDS = 150;
const LARGEST = 45;
/** Seconds within which a slow machine, too, has done all rounds. */
const TEST_TIMEOUT_MS = 60_000;
const UNUSUAL = [NaN, Infinity, -Infinity, -1, 2, 1, 0, 1e30];

// Vector code works in groups and at any place of its memory: sizes, parts and values are drawn at random.
describe('rows made by vector code are those of plain loops, bit by bit', () => {
  it(
    'blurred and sharpened',
    async () => {
      for (const { random, seed } of rounds()) {
        const { channels, width, height, from, ...part } = picture(random);
        const radius = random(1, Math.min(12, width - 1, height - 1));
        const sigma = random(1, 30) / 10;
        const strength = random(0, 1) === 0 ? undefined : random(0, 50);
        const to = new Float32Array(from.length);
        const work = { from, to, width, height, channels, radius, sigma, ...part, afterRow: () => undefined };
        await blurRows(strength === undefined ? work : { ...work, strength });
        const weights = gaussianWeights(radius, sigma);
        const plain = plainBlur({ from, width, height, channels }, weights);
        const wanted = strength === undefined ? plain : plain.map((value, i) => sharp(from[i] ?? 0, value, strength));
        expectRows(to, wanted, width * channels, { ...part, seed });
      }
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'summed of taps',
    async () => {
      for (const { random, seed } of rounds()) {
        const { width, height, channels, from } = picture(random);
        const [toWidth, toHeight] = [random(1, LARGEST), random(1, LARGEST)];
        const [columns, rows] = [taps(width, toWidth, random), taps(height, toHeight, random)];
        const part = partOf(toHeight, random);
        const size = { fromWidth: width, fromHeight: height, toWidth, toHeight, channels };
        const to = new Float32Array(toWidth * toHeight * channels);
        await resampleByTaps({ from, to, ...size, ...part, afterRow: () => undefined }, columns, rows);
        const narrow = plainTaps(from, columns, width, channels);
        const wanted = plainTaps(narrow, rows, height, toWidth * channels);
        expectRows(to, wanted, toWidth * channels, { ...part, seed });
      }
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'means of areas',
    async () => {
      for (const { random, seed } of rounds()) {
        const { width, height, channels, from } = picture(random);
        const [toWidth, toHeight] = [random(1, LARGEST), random(1, LARGEST)];
        const part = partOf(toHeight, random);
        const size = { fromWidth: width, fromHeight: height, toWidth, toHeight, channels };
        const to = new Float32Array(toWidth * toHeight * channels);
        await resampleArea({ from, to, ...size, ...part, afterRow: () => undefined });
        expectRows(to, plainArea({ from, width, height, channels }, toWidth, toHeight), toWidth * channels, {
          ...part,
          seed,
        });
      }
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'resampled by Lanczos',
    async () => {
      for (const { random, seed } of rounds()) {
        const { channels, width, height, from } = picture(random);
        const toWidth = random(0, 9) === 0 ? width : random(1, LARGEST);
        const toHeight = random(0, 9) === 0 ? height : random(1, LARGEST);
        const part = partOf(toHeight, random);
        const size = { fromWidth: width, fromHeight: height, toWidth, toHeight, channels };
        const to = new Float32Array(toWidth * toHeight * channels);
        await resampleLanczos({ from, to, ...size, ...part, afterRow: () => undefined });
        expectRows(to, plainLanczos({ from, width, height, channels }, toWidth, toHeight), toWidth * channels, {
          ...part,
          seed,
        });
      }
    },
    TEST_TIMEOUT_MS,
  );
});

interface Picture {
  readonly from: Float32Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

type Draw = (least: number, most: number) => number;

function* rounds(): Generator<{ random: Draw; seed: number }> {
  console.info(`seed ${fixedSeed}`);
  for (let seed = fixedSeed; seed < fixedSeed + ROUNDS; seed += 1) {
    const numbers = new Random(seed);
    yield { random: (least, most) => least + numbers.below(most - least + 1), seed };
  }
}

function picture(random: Draw): Picture & { firstRow: number; endRow: number } {
  const [width, height, channels] = [random(2, LARGEST), random(2, LARGEST), random(1, 4)];
  const from = Float32Array.from({ length: width * height * channels }, () => {
    if (random(0, 40) === 0) return UNUSUAL[random(0, UNUSUAL.length - 1)] ?? 0;
    return random(0, 2) === 0 ? random(0, 255) / 255 : random(-1000, 11_000) / 9973;
  });
  return { width, height, channels, from, ...partOf(height, random) };
}

function partOf(height: number, random: Draw): { firstRow: number; endRow: number } {
  const firstRow = random(0, height - 1);
  return { firstRow, endRow: random(firstRow + 1, height) };
}

/** Neighbours with any weights, as many for each new sample. */
function taps(size: number, toSize: number, random: Draw): Taps {
  const count = random(1, 4);
  const firsts = Array.from({ length: toSize }, () => random(-2, size));
  const index = firsts.flatMap((first) =>
    Array.from({ length: count }, (_, tap) => Math.min(Math.max(first + tap, 0), size - 1)),
  );
  const weight = Float32Array.from(index, () => random(-1000, 1000) / 777);
  return { count, index: Int32Array.from(index), weight };
}

/** One direction: `size` samples that are `step` apart become as many as there are taps for. */
function plainTaps(from: Float32Array, { count, index, weight }: Taps, size: number, step: number): Float32Array {
  const toSize = index.length / count;
  return Float32Array.from({ length: (from.length / size) * toSize }, (_, i) => {
    const [line, at, rest] = [Math.floor(i / (toSize * step)), Math.floor(i / step) % toSize, i % step];
    const tap = (k: number): readonly [number, number] => [
      from[(line * size + (index[at * count + k] ?? 0)) * step + rest] ?? 0,
      weight[at * count + k] ?? 0,
    ];
    const [sample, factor] = tap(0);
    let sum = Math.fround(sample * factor);
    for (let k = 1; k < count; k += 1) sum = Math.fround(tap(k)[0] * tap(k)[1] + sum);
    return sum;
  });
}

function plainArea({ from, width, height, channels }: Picture, toWidth: number, toHeight: number): Float32Array {
  return Float32Array.from({ length: toWidth * toHeight * channels }, (_, i) => {
    const [y, x, c] = [Math.floor(i / (toWidth * channels)), Math.floor(i / channels) % toWidth, i % channels];
    const [top, bottom] = [Math.floor((y * height) / toHeight), Math.ceil(((y + 1) * height) / toHeight)];
    const [left, right] = [Math.floor((x * width) / toWidth), Math.ceil(((x + 1) * width) / toWidth)];
    let sum = 0;
    for (let row = top; row < bottom; row += 1) {
      for (let column = left; column < right; column += 1) {
        sum = Math.fround(sum + (from[(row * width + column) * channels + c] ?? 0));
      }
    }
    return Math.fround(sum / (bottom - top)) / (right - left);
  });
}

function expectRows(
  got: Float32Array,
  wanted: Float32Array,
  rowLength: number,
  { firstRow, endRow, seed }: { firstRow: number; endRow: number; seed: number },
): void {
  const differing = got.findIndex((value, i) => {
    const inside = i >= firstRow * rowLength && i < endRow * rowLength;
    return !Object.is(value, inside ? wanted[i] : 0);
  });
  expect(differing, `seed ${seed}: index of a sample that differs`).toBe(-1);
}

function plainBlur({ from, width, height, channels }: Picture, weights: Float64Array): Float32Array {
  const step = channels;
  const rows = Float64Array.from(from, (_, i) => {
    const start = i - (i % (width * channels));
    const [x, c] = [Math.floor((i - start) / step), i % channels];
    return weighted(weights, (d) => from[start + mirrored(x + d, width) * step + c] ?? 0);
  });
  return Float32Array.from(from, (_, i) => {
    const [y, rest] = [Math.floor(i / (width * channels)), i % (width * channels)];
    return weighted(weights, (d) => rows[mirrored(y + d, height) * width * channels + rest] ?? 0);
  });
}

/** The middle, then the pairs from the outermost on. */
function weighted(weights: Float64Array, at: (distance: number) => number): number {
  const radius = (weights.length - 1) / 2;
  let sum = (weights[radius] ?? 0) * at(0);
  for (let k = 0; k < radius; k += 1) sum += (weights[k] ?? 0) * (at(k - radius) + at(radius - k));
  return sum;
}

function mirrored(index: number, size: number): number {
  return index < 0 ? -index : index >= size ? 2 * (size - 1) - index : index;
}

function sharp(value: number, blurred: number, strength: number): number {
  const result = value + strength * (value - blurred);
  return result < 0 ? 0 : result > 1 ? 1 : result;
}

function plainLanczos({ from, width, height, channels }: Picture, toWidth: number, toHeight: number): Float32Array {
  let bytes = new Uint8Array(from.length);
  quantise(from, bytes);
  const resized = width !== toWidth || height !== toHeight;
  if (channels === 4 && resized) bytes = bytes.map((byte, i) => (i % 4 === 3 ? byte : times(byte, bytes[i | 3] ?? 0)));
  if (width !== toWidth) bytes = stretch(bytes, { size: width, toSize: toWidth, step: channels });
  if (height !== toHeight) bytes = stretch(bytes, { size: height, toSize: toHeight, step: toWidth * channels });
  if (channels === 4 && resized) bytes = bytes.map((byte, i) => (i % 4 === 3 ? byte : over(byte, bytes[i | 3] ?? 0)));
  const to = new Float32Array(bytes.length);
  toUnit(bytes, to);
  return to;
}

/** One direction: `size` samples that are `step` apart become `toSize`. */
function stretch(
  bytes: Uint8Array,
  { size, toSize, step }: { size: number; toSize: number; step: number },
): Uint8Array<ArrayBuffer> {
  const windows = lanczosWindows(size, toSize);
  const one = 2 ** 22;
  return Uint8Array.from({ length: (bytes.length / size) * toSize }, (_, i) => {
    const [line, at, rest] = [Math.floor(i / (toSize * step)), Math.floor(i / step) % toSize, i % step];
    let sum = one / 2;
    for (let k = 0; k < (windows.count[at] ?? 0); k += 1) {
      const sample = bytes[(line * size + (windows.start[at] ?? 0) + k) * step + rest] ?? 0;
      sum += sample * (windows.weights[at * windows.size + k] ?? 0);
    }
    return Math.min(Math.max(Math.floor(sum / one), 0), 255);
  });
}

function times(byte: number, alpha: number): number {
  const product = byte * alpha + 128;
  return ((product >> 8) + product) >> 8;
}

function over(byte: number, alpha: number): number {
  return alpha === 255 || alpha === 0 ? byte : Math.min(Math.trunc((255 * byte) / alpha), 255);
}
