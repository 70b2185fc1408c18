import { resampleByTaps, type Taps } from './fused-taps.js';
import type { Resampling } from './resampling.js';

/** `nearest-exact`: the source sample under the centre of each new one. */
export function resampleNearest(work: Resampling): Promise<void> {
  return resampleByTaps(work, nearest(work.fromWidth, work.toWidth), nearest(work.fromHeight, work.toHeight));
}

function nearest(oldSize: number, newSize: number): Taps {
  const scale = Math.fround(oldSize / newSize);
  const index = Int32Array.from({ length: newSize }, (_, i) =>
    Math.min(Math.floor(Math.fround(Math.fround(i + 0.5) * scale)), oldSize - 1),
  );
  return { count: 1, index, weight: new Float32Array(newSize).fill(1) };
}
