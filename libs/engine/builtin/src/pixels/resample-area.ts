import type { Resampling } from './resampling.js';

const { fround } = Math;

/** `area`: the mean of the source samples that a new one touches, summed in float32 row by row. */
export async function resampleArea(work: Resampling): Promise<void> {
  const { from, to, fromWidth, toWidth, channels } = work;
  const columns = windows(fromWidth, toWidth);
  const rows = windows(work.fromHeight, work.toHeight);
  for (let y = 0; y < work.toHeight; y += 1) {
    const top = rows.start[y] as number;
    const bottom = rows.end[y] as number;
    let target = y * toWidth * channels;
    for (let x = 0; x < toWidth; x += 1) {
      const left = columns.start[x] as number;
      const right = columns.end[x] as number;
      for (let c = 0; c < channels; c += 1) {
        let sum = 0;
        for (let row = top; row < bottom; row += 1) {
          let at = (row * fromWidth + left) * channels + c;
          for (let column = left; column < right; column += 1, at += channels) sum = fround(sum + (from[at] as number));
        }
        to[target++] = fround(sum / (bottom - top)) / (right - left);
      }
    }
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

function windows(oldSize: number, newSize: number): { start: Int32Array; end: Int32Array } {
  return {
    start: Int32Array.from({ length: newSize }, (_, i) => Math.floor((i * oldSize) / newSize)),
    end: Int32Array.from({ length: newSize }, (_, i) => Math.ceil(((i + 1) * oldSize) / newSize)),
  };
}
