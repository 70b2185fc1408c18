import { NodeError } from '../execution/node-error.js';
import { LanczosRows } from './lanczos-rows.js';
import type { Resampling } from './resampling.js';

/**
 * Pillow's 8-bit Lanczos, as the engine uses it: quantise first, a horizontal then a vertical pass with fixed-point
 * weights, antialiased when shrinking, clamped to bytes after each pass; colours are weighted by their alpha.
 */
export async function resampleLanczos(work: Resampling): Promise<void> {
  if (work.channels > 4)
    throw new NodeError('TypeError', `Cannot handle this data type: (1, 1, ${work.channels}), |u1`);
  const rows = new LanczosRows(work);
  let narrowed = 0;
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    // Only the source rows that the wanted rows look at.
    const { first, end } = rows.windowOf(y);
    for (narrowed = Math.max(narrowed, first); narrowed < end; narrowed += 1) {
      rows.narrow(narrowed);
      const pause = work.afterRow(y);
      if (pause) await pause;
    }
    rows.finish(y);
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}
