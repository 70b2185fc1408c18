import { blendRow, type BlendMode } from './blend-modes.js';

const { fround } = Math;

/** Two pictures, or batches of them one below the other, to blend row by row. */
export interface BlendedRows {
  readonly mode: BlendMode;
  /** How much the blended picture counts beside the lower one: 0 to 1. */
  readonly factor: number;
  /** The lower picture. */
  readonly from: Float32Array;
  readonly upper: Float32Array;
  readonly to: Float32Array;
  /** Samples of a row. */
  readonly rowLength: number;
  readonly firstRow: number;
  readonly endRow: number;
  readonly afterRow: (row: number) => void | Promise<void>;
}

export async function blendRows(work: BlendedRows): Promise<void> {
  const { from, upper, to, rowLength } = work;
  const blend = blendRow[work.mode];
  const factor = fround(work.factor);
  const keep = fround(1 - factor);
  for (let row = work.firstRow; row < work.endRow; row += 1) {
    const start = row * rowLength;
    const mixed = to.subarray(start, start + rowLength);
    const under = rowAt(from, start, rowLength);
    blend(under, rowAt(upper, start, rowLength), mixed);
    for (let i = 0; i < rowLength; i += 1) {
      const value = fround(fround((under[i] as number) * keep) + fround((mixed[i] as number) * factor));
      mixed[i] = value < 0 ? 0 : value > 1 ? 1 : value;
    }
    const pause = work.afterRow(row);
    if (pause) await pause;
  }
}

/** Samples from a position on; a batch of one is read again for every picture of the other. */
function rowAt(data: Float32Array, start: number, length: number): Float32Array {
  const at = start % data.length;
  return data.subarray(at, at + length);
}
