import { resampleByTaps, type Taps } from './fused-taps.js';
import type { Resampling } from './resampling.js';

const { fround, max, min, trunc } = Math;
/** Up to this sum of the new sides torch takes another way, which rounds otherwise. */
const SMALL_SUM = 128;

/**
 * Bilinear without antialiasing, in float32 with fused multiplication and addition (`a * b + c` is rounded once; a
 * product of two float32 is exact in double precision). Like torch it knows two ways: small results and pictures of
 * four channels by four weights for a sample, all others row by row.
 */
export function resampleBilinear(work: Resampling): Promise<void> {
  const { toWidth, toHeight, channels, cropped } = work;
  const byWeights = toWidth + toHeight <= SMALL_SUM || (channels > 3 && cropped !== true);
  return byWeights ? byFourWeights(work) : byRows(work);
}

/** `a0 * (b0 * p00 + b1 * p01) + a1 * (b0 * p10 + b1 * p11)`, of each pair the second product first. */
function byRows(work: Resampling): Promise<void> {
  const columns = bilinearTaps(work.fromWidth, work.toWidth, false);
  const rows = bilinearTaps(work.fromHeight, work.toHeight, false);
  return resampleByTaps(work, secondFirst(columns), secondFirst(rows));
}

function secondFirst({ first, second, firstWeight, secondWeight }: Neighbours): Taps {
  const index = Int32Array.from(
    { length: 2 * first.length },
    (_, i) => (i % 2 === 0 ? second : first)[i >> 1] as number,
  );
  const weight = Float32Array.from(index, (_, i) => (i % 2 === 0 ? secondWeight : firstWeight)[i >> 1] as number);
  return { count: 2, index, weight };
}

/** `w00 * p00 + w01 * p01 + w10 * p10 + w11 * p11`, the second product rounded by itself. */
async function byFourWeights(work: Resampling): Promise<void> {
  const { from, to, fromWidth, toWidth, channels } = work;
  const columns = bilinearTaps(fromWidth, toWidth, true);
  const rows = bilinearTaps(work.fromHeight, work.toHeight, true);
  let target = work.firstRow * toWidth * channels;
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    const top = (rows.first[y] as number) * fromWidth;
    const bottom = (rows.second[y] as number) * fromWidth;
    const a0 = rows.firstWeight[y] as number;
    const a1 = rows.secondWeight[y] as number;
    for (let x = 0; x < toWidth; x += 1) {
      const [left, right] = [columns.first[x] as number, columns.second[x] as number];
      const b0 = columns.firstWeight[x] as number;
      const b1 = columns.secondWeight[x] as number;
      const [w00, w01, w10, w11] = [fround(a0 * b0), fround(a0 * b1), fround(a1 * b0), fround(a1 * b1)];
      const p00 = (top + left) * channels;
      const p01 = (top + right) * channels;
      const p10 = (bottom + left) * channels;
      const p11 = (bottom + right) * channels;
      for (let c = 0; c < channels; c += 1) {
        const upper = fround((from[p00 + c] as number) * w00 + fround((from[p01 + c] as number) * w01));
        to[target++] = (from[p11 + c] as number) * w11 + fround((from[p10 + c] as number) * w10 + upper);
      }
    }
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

interface Neighbours {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly firstWeight: Float32Array;
  readonly secondWeight: Float32Array;
}

function bilinearTaps(oldSize: number, newSize: number, fused: boolean): Neighbours {
  const scale = fround(oldSize / newSize);
  const first = new Int32Array(newSize);
  const second = new Int32Array(newSize);
  const firstWeight = new Float32Array(newSize);
  const secondWeight = new Float32Array(newSize);
  for (let i = 0; i < newSize; i += 1) {
    const scaled = scale * fround(i + 0.5);
    const position = max(0, fround((fused ? scaled : fround(scaled)) - 0.5));
    const index = min(trunc(position), oldSize - 1);
    const rest = min(fround(position - index), 1);
    first[i] = index;
    second[i] = min(index + 1, oldSize - 1);
    secondWeight[i] = rest;
    firstWeight[i] = 1 - rest;
  }
  return { first, second, firstWeight, secondWeight };
}
