import { quantise, toUnit } from './quantise.js';
import type { Resampling } from './resampling.js';

const LOBES = 3;
const PRECISION = 22;
const HALF = 1 << (PRECISION - 1);
const { imul } = Math;

/**
 * Pillow's 8-bit Lanczos, as the engine uses it: quantise first, a horizontal then a vertical pass with fixed-point
 * weights, antialiased when shrinking, clamped to bytes after each pass; colours are weighted by their alpha.
 */
export async function resampleLanczos(work: Resampling): Promise<void> {
  const { fromWidth, fromHeight, toWidth, toHeight, channels } = work;
  const rows = lanczosWindows(fromHeight, toHeight);
  // Only the source rows that the wanted rows look at.
  const firstSource = fromHeight === toHeight ? work.firstRow : (rows.start[work.firstRow] as number);
  const last = work.endRow - 1;
  const endSource = fromHeight === toHeight ? work.endRow : (rows.start[last] as number) + (rows.count[last] as number);
  const bytes = new Uint8Array(fromWidth * fromHeight * channels);
  const [start, end] = [firstSource * fromWidth * channels, endSource * fromWidth * channels];
  quantise(work.from.subarray(start, end), bytes.subarray(start, end));
  const sameSize = fromWidth === toWidth && fromHeight === toHeight;
  const withAlpha = channels === 4 && !sameSize;
  if (withAlpha) premultiply(bytes.subarray(start, end));
  const columns = lanczosWindows(fromWidth, toWidth);
  const narrow = fromWidth === toWidth ? bytes : new Uint8ClampedArray(toWidth * fromHeight * channels);
  if (narrow instanceof Uint8ClampedArray) {
    for (let y = firstSource; y < endSource; y += 1) {
      horizontalRow(bytes, narrow, columns, y, work);
      const pause = work.afterRow(work.firstRow);
      if (pause) await pause;
    }
  }
  const rowLength = toWidth * channels;
  const sums = new Int32Array(rowLength);
  const line = new Uint8Array(rowLength);
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    if (fromHeight === toHeight) line.set(narrow.subarray(y * rowLength, (y + 1) * rowLength));
    else verticalRow(narrow, line, sums, rows, y);
    if (withAlpha) unpremultiply(line);
    toUnit(line, work.to.subarray(y * rowLength, (y + 1) * rowLength));
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

/** Colours times their alpha, as Pillow does it before it resizes; rounded. */
function premultiply(rgba: Uint8Array): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    if (alpha === 255) continue;
    for (let c = at; c < at + 3; c += 1) {
      const product = (rgba[c] as number) * alpha + 128;
      rgba[c] = ((product >> 8) + product) >> 8;
    }
  }
}

/** The way back: cut, not rounded. */
function unpremultiply(rgba: Uint8Array): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    if (alpha === 255 || alpha === 0) continue;
    for (let c = at; c < at + 3; c += 1) {
      const colour = Math.trunc((255 * (rgba[c] as number)) / alpha);
      rgba[c] = colour > 255 ? 255 : colour;
    }
  }
}

interface Windows {
  readonly start: Int32Array;
  readonly count: Int32Array;
  /** `size` weights for each new sample. */
  readonly weights: Int32Array;
  readonly size: number;
}

function horizontalRow(
  from: Uint8Array,
  to: Uint8ClampedArray,
  windows: Windows,
  row: number,
  { fromWidth, toWidth, channels }: Resampling,
): void {
  const source = row * fromWidth * channels;
  let target = row * toWidth * channels;
  const { weights, size } = windows;
  for (let x = 0; x < toWidth; x += 1) {
    const count = windows.count[x] as number;
    const first = source + (windows.start[x] as number) * channels;
    const weight = x * size;
    if (channels === 3) {
      // The usual case by itself: one pass over the window for all three channels.
      let [red, green, blue] = [HALF, HALF, HALF];
      for (let k = 0, at = first; k < count; k += 1, at += 3) {
        const w = weights[weight + k] as number;
        red = (red + imul(from[at] as number, w)) | 0;
        green = (green + imul(from[at + 1] as number, w)) | 0;
        blue = (blue + imul(from[at + 2] as number, w)) | 0;
      }
      to[target++] = red >> PRECISION;
      to[target++] = green >> PRECISION;
      to[target++] = blue >> PRECISION;
      continue;
    }
    for (let c = 0; c < channels; c += 1) {
      let sum = HALF;
      let at = first + c;
      for (let k = 0; k < count; k += 1, at += channels) {
        sum += (from[at] as number) * (weights[weight + k] as number);
      }
      to[target++] = sum >> PRECISION;
    }
  }
}

function verticalRow(
  from: Uint8Array | Uint8ClampedArray,
  line: Uint8Array,
  sums: Int32Array,
  windows: Windows,
  row: number,
): void {
  const rowLength = line.length;
  const first = windows.start[row] as number;
  const count = windows.count[row] as number;
  sums.fill(HALF);
  const weightAt = (k: number): number => (k < count ? (windows.weights[row * windows.size + k] as number) : 0);
  // Three rows in one pass; a row that is missing at the end counts with weight 0.
  for (let k = 0; k < count; k += 3) {
    const [w0, w1, w2] = [weightAt(k), weightAt(k + 1), weightAt(k + 2)];
    const s0 = (first + k) * rowLength;
    const s1 = k + 1 < count ? s0 + rowLength : s0;
    const s2 = k + 2 < count ? s0 + 2 * rowLength : s0;
    for (let i = 0; i < rowLength; i += 1) {
      const sum = (imul(from[s0 + i] as number, w0) + imul(from[s1 + i] as number, w1)) | 0;
      sums[i] = (((sums[i] as number) + sum) | 0) + imul(from[s2 + i] as number, w2);
    }
  }
  for (let i = 0; i < rowLength; i += 1) {
    const value = (sums[i] as number) >> PRECISION;
    line[i] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
}

function lanczosWindows(oldSize: number, newSize: number): Windows {
  const scale = oldSize / newSize;
  const filterScale = Math.max(scale, 1);
  const support = LOBES * filterScale;
  const size = Math.ceil(support) * 2 + 1;
  const start = new Int32Array(newSize);
  const count = new Int32Array(newSize);
  const weights = new Int32Array(newSize * size);
  for (let i = 0; i < newSize; i += 1) {
    const center = (i + 0.5) * scale;
    const first = Math.max(Math.trunc(center - support + 0.5), 0);
    const end = Math.min(Math.trunc(center + support + 0.5), oldSize);
    const raw: number[] = [];
    let sum = 0;
    for (let k = first; k < end; k += 1) {
      const weight = lanczos((k - center + 0.5) / filterScale);
      raw.push(weight);
      sum += weight;
    }
    start[i] = first;
    count[i] = raw.length;
    raw.forEach((weight, k) => {
      const fixed = (sum === 0 ? weight : weight / sum) * 2 ** PRECISION;
      weights[i * size + k] = Math.trunc(fixed < 0 ? fixed - 0.5 : fixed + 0.5);
    });
  }
  return { start, count, weights, size };
}

function lanczos(x: number): number {
  return x > -LOBES && x < LOBES ? sinc(x) * sinc(x / LOBES) : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
}
