import type { Resampling } from './resampling.js';

const { fround } = Math;

/** Bilinear without antialiasing, rows first: `a0 * (b0 * p00 + b1 * p01) + a1 * (b0 * p10 + b1 * p11)` in float32. */
export async function resampleBilinear(work: Resampling): Promise<void> {
  const { to, toWidth, channels } = work;
  const columns = bilinearTaps(work.fromWidth, toWidth);
  const rows = bilinearTaps(work.fromHeight, work.toHeight);
  const rowLength = toWidth * channels;
  // Two stretched source rows are kept: neighbouring new rows share them.
  let upper = { row: -1, samples: new Float32Array(rowLength) };
  let lower = { row: -1, samples: new Float32Array(rowLength) };
  for (let y = 0; y < work.toHeight; y += 1) {
    const first = rows.first[y] as number;
    const second = rows.second[y] as number;
    if (lower.row === first) [upper, lower] = [lower, upper];
    if (upper.row !== first) stretchRow(work, columns, first, upper);
    if (lower.row !== second) stretchRow(work, columns, second, lower);
    const a0 = rows.firstWeight[y] as number;
    const a1 = rows.secondWeight[y] as number;
    const top = upper.samples;
    const bottom = lower.samples;
    const target = y * rowLength;
    for (let i = 0; i < rowLength; i += 1) {
      to[target + i] = fround(a0 * (top[i] as number)) + fround(a1 * (bottom[i] as number));
    }
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

interface Taps {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly firstWeight: Float32Array;
  readonly secondWeight: Float32Array;
}

function stretchRow(work: Resampling, taps: Taps, row: number, into: { row: number; samples: Float32Array }): void {
  const { from, toWidth, channels } = work;
  const start = row * work.fromWidth * channels;
  const { samples } = into;
  let target = 0;
  for (let x = 0; x < toWidth; x += 1) {
    const left = start + (taps.first[x] as number) * channels;
    const right = start + (taps.second[x] as number) * channels;
    const b0 = taps.firstWeight[x] as number;
    const b1 = taps.secondWeight[x] as number;
    for (let c = 0; c < channels; c += 1) {
      samples[target++] = fround(b0 * (from[left + c] as number)) + fround(b1 * (from[right + c] as number));
    }
  }
  into.row = row;
}

function bilinearTaps(oldSize: number, newSize: number): Taps {
  const scale = fround(oldSize / newSize);
  const first = new Int32Array(newSize);
  const second = new Int32Array(newSize);
  const firstWeight = new Float32Array(newSize);
  const secondWeight = new Float32Array(newSize);
  for (let i = 0; i < newSize; i += 1) {
    const position = Math.max(0, fround(fround(scale * fround(i + 0.5)) - 0.5));
    const index = Math.min(Math.trunc(position), oldSize - 1);
    const rest = Math.min(fround(position - index), 1);
    first[i] = index;
    second[i] = Math.min(index + 1, oldSize - 1);
    secondWeight[i] = rest;
    firstWeight[i] = 1 - rest;
  }
  return { first, second, firstWeight, secondWeight };
}
