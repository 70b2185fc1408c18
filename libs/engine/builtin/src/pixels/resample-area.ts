import type { Resampling } from './resampling.js';

const { fround } = Math;

/** `area`: the mean of the source samples that a new one touches, summed in float32 row by row. */
export async function resampleArea(work: Resampling): Promise<void> {
  const { from, to, fromWidth, toWidth, channels } = work;
  const columns = windows(fromWidth, toWidth);
  const rows = windows(work.fromHeight, work.toHeight);
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    const top = rows.start[y] as number;
    const bottom = rows.end[y] as number;
    let target = y * toWidth * channels;
    for (let x = 0; x < toWidth; x += 1) {
      const left = columns.start[x] as number;
      const right = columns.end[x] as number;
      const tall = bottom - top;
      const wide = right - left;
      if (channels === 3 && tall === 1 && wide === 1) {
        const at = (top * fromWidth + left) * 3;
        to[target] = from[at] as number;
        to[target + 1] = from[at + 1] as number;
        to[target + 2] = from[at + 2] as number;
        target += 3;
        continue;
      }
      if (channels === 3) {
        // The usual case by itself: one pass over the window for all three channels.
        let red = 0;
        let green = 0;
        let blue = 0;
        for (let row = top; row < bottom; row += 1) {
          const end = (row * fromWidth + right) * 3;
          for (let at = (row * fromWidth + left) * 3; at < end; at += 3) {
            red = fround(red + (from[at] as number));
            green = fround(green + (from[at + 1] as number));
            blue = fround(blue + (from[at + 2] as number));
          }
        }
        if ((tall & (tall - 1)) === 0 && (wide & (wide - 1)) === 0) {
          // A division by a power of two rounds nothing, so one product does for both.
          const share = 1 / (tall * wide);
          to[target] = red * share;
          to[target + 1] = green * share;
          to[target + 2] = blue * share;
        } else {
          to[target] = fround(red / tall) / wide;
          to[target + 1] = fround(green / tall) / wide;
          to[target + 2] = fround(blue / tall) / wide;
        }
        target += 3;
        continue;
      }
      for (let c = 0; c < channels; c += 1) {
        let sum = 0;
        for (let row = top; row < bottom; row += 1) {
          let at = (row * fromWidth + left) * channels + c;
          for (let column = left; column < right; column += 1, at += channels) sum = fround(sum + (from[at] as number));
        }
        to[target++] = fround(sum / tall) / wide;
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
