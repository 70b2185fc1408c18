import type { Resampling } from './resampling.js';

const { fround } = Math;
const A = -0.75;

/**
 * Keys' cubic with a = -0.75 over 4 x 4 samples, borders repeated, rows first, no clamping of the result. In float32 with
 * fused multiplication and addition, as the engine's processor code has it: one rounding for `a * b + c`, and a product
 * of two float32 is exact in double precision.
 */
export async function resampleBicubic(work: Resampling): Promise<void> {
  const { to, toWidth, channels } = work;
  const columns = cubicTaps(work.fromWidth, toWidth);
  const rows = cubicTaps(work.fromHeight, work.toHeight);
  const rowLength = toWidth * channels;
  // The last eight stretched source rows, found by their number: a new row needs four neighbours.
  const kept = Array.from({ length: 8 }, () => ({ row: -1, samples: new Float32Array(rowLength) }));
  const stretched = (row: number): Float32Array => {
    const slot = kept[row % kept.length] as { row: number; samples: Float32Array };
    if (slot.row !== row) {
      stretchRow(work, columns, row, slot.samples);
      slot.row = row;
    }
    return slot.samples;
  };
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    const tap = y * 4;
    const r0 = stretched(rows.index[tap] as number);
    const r1 = stretched(rows.index[tap + 1] as number);
    const r2 = stretched(rows.index[tap + 2] as number);
    const r3 = stretched(rows.index[tap + 3] as number);
    const w0 = rows.weight[tap] as number;
    const w1 = rows.weight[tap + 1] as number;
    const w2 = rows.weight[tap + 2] as number;
    const w3 = rows.weight[tap + 3] as number;
    const target = y * rowLength;
    for (let i = 0; i < rowLength; i += 1) {
      const two = fround((r0[i] as number) * w0 + fround((r1[i] as number) * w1));
      to[target + i] = (r3[i] as number) * w3 + fround((r2[i] as number) * w2 + two);
    }
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

interface CubicTaps {
  readonly index: Int32Array;
  readonly weight: Float32Array;
}

function stretchRow(work: Resampling, taps: CubicTaps, row: number, samples: Float32Array): void {
  const { from, toWidth, channels } = work;
  const start = row * work.fromWidth * channels;
  let target = 0;
  for (let x = 0; x < toWidth; x += 1) {
    const tap = x * 4;
    const i0 = start + (taps.index[tap] as number) * channels;
    const i1 = start + (taps.index[tap + 1] as number) * channels;
    const i2 = start + (taps.index[tap + 2] as number) * channels;
    const i3 = start + (taps.index[tap + 3] as number) * channels;
    const w0 = taps.weight[tap] as number;
    const w1 = taps.weight[tap + 1] as number;
    const w2 = taps.weight[tap + 2] as number;
    const w3 = taps.weight[tap + 3] as number;
    if (channels === 3) {
      // The usual case by itself, without a loop for three samples.
      const red = fround((from[i0] as number) * w0 + fround((from[i1] as number) * w1));
      const green = fround((from[i0 + 1] as number) * w0 + fround((from[i1 + 1] as number) * w1));
      const blue = fround((from[i0 + 2] as number) * w0 + fround((from[i1 + 2] as number) * w1));
      samples[target] = (from[i3] as number) * w3 + fround((from[i2] as number) * w2 + red);
      samples[target + 1] = (from[i3 + 1] as number) * w3 + fround((from[i2 + 1] as number) * w2 + green);
      samples[target + 2] = (from[i3 + 2] as number) * w3 + fround((from[i2 + 2] as number) * w2 + blue);
      target += 3;
      continue;
    }
    for (let c = 0; c < channels; c += 1) {
      const two = fround((from[i0 + c] as number) * w0 + fround((from[i1 + c] as number) * w1));
      samples[target++] = (from[i3 + c] as number) * w3 + fround((from[i2 + c] as number) * w2 + two);
    }
  }
}

function cubicTaps(oldSize: number, newSize: number): CubicTaps {
  const scale = fround(oldSize / newSize);
  const index = new Int32Array(newSize * 4);
  const weight = new Float32Array(newSize * 4);
  for (let i = 0; i < newSize; i += 1) {
    const position = fround(scale * fround(i + 0.5) - 0.5);
    const floor = Math.floor(position);
    const t = fround(position - floor);
    const back = fround(1 - t);
    const weights = [outer(fround(t + 1)), inner(t), inner(back), outer(fround(back + 1))];
    for (let tap = 0; tap < 4; tap += 1) {
      index[i * 4 + tap] = Math.min(Math.max(floor - 1 + tap, 0), oldSize - 1);
      weight[i * 4 + tap] = weights[tap] as number;
    }
  }
  return { index, weight };
}

/** Keys' cubic for a distance below 1, each step in float32. */
function inner(x: number): number {
  const first = fround(fround(fround(fround(A + 2) * x) - fround(A + 3)) * x);
  return fround(fround(first * x) + 1);
}

/** Keys' cubic for a distance of 1 to 2, each step in float32. */
function outer(x: number): number {
  const first = fround(fround(fround(A * x) - fround(5 * A)) * x);
  return fround(fround(fround(first + fround(8 * A)) * x) - fround(4 * A));
}
