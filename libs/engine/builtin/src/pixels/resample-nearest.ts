import type { Resampling } from './resampling.js';

/** `nearest-exact`: the source sample under the centre of each new one. */
export async function resampleNearest(work: Resampling): Promise<void> {
  const { from, to, fromWidth, toWidth, channels } = work;
  const columns = nearestIndices(fromWidth, toWidth);
  const rows = nearestIndices(work.fromHeight, work.toHeight);
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    const rowStart = (rows[y] as number) * fromWidth;
    let target = y * toWidth * channels;
    if (channels === 3) {
      // The usual case by itself, without a loop for three samples.
      for (let x = 0; x < toWidth; x += 1, target += 3) {
        const source = (rowStart + (columns[x] as number)) * 3;
        to[target] = from[source] as number;
        to[target + 1] = from[source + 1] as number;
        to[target + 2] = from[source + 2] as number;
      }
    }
    for (let x = channels === 3 ? toWidth : 0; x < toWidth; x += 1) {
      const source = (rowStart + (columns[x] as number)) * channels;
      for (let c = 0; c < channels; c += 1) to[target++] = from[source + c] as number;
    }
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

function nearestIndices(oldSize: number, newSize: number): Int32Array {
  const scale = Math.fround(oldSize / newSize);
  return Int32Array.from({ length: newSize }, (_, i) =>
    Math.min(Math.floor(Math.fround(Math.fround(i + 0.5) * scale)), oldSize - 1),
  );
}
