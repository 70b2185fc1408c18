import { resampleByTaps, type Taps } from './fused-taps.js';
import type { Resampling } from './resampling.js';

const { fround } = Math;
const A = -0.75;

/**
 * Keys' cubic with a = -0.75 over 4 x 4 samples, borders repeated, rows first, no clamping of the result. In float32 with
 * fused multiplication and addition, as the engine's processor code has it: one rounding for `a * b + c`, and a product
 * of two float32 is exact in double precision.
 */
export function resampleBicubic(work: Resampling): Promise<void> {
  return resampleByTaps(work, cubicTaps(work.fromWidth, work.toWidth), cubicTaps(work.fromHeight, work.toHeight));
}

/** Of four neighbours the second, then the first, the third and the fourth, as the engine sums them. */
const ORDER = [1, 0, 2, 3];

function cubicTaps(oldSize: number, newSize: number): Taps {
  const scale = fround(oldSize / newSize);
  const index = new Int32Array(newSize * 4);
  const weight = new Float32Array(newSize * 4);
  for (let i = 0; i < newSize; i += 1) {
    const position = fround(scale * fround(i + 0.5) - 0.5);
    const floor = Math.floor(position);
    const t = fround(position - floor);
    const back = fround(1 - t);
    const weights = [outer(fround(t + 1)), inner(t), inner(back), outer(fround(back + 1))];
    ORDER.forEach((neighbour, tap) => {
      index[i * 4 + tap] = Math.min(Math.max(floor - 1 + neighbour, 0), oldSize - 1);
      weight[i * 4 + tap] = weights[neighbour] as number;
    });
  }
  return { count: 4, index, weight };
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
