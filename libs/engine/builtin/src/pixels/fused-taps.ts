import { FUSED_GROUP, MAX_CHANNELS, TAP_BYTES } from '../kernels/fused-sum.js';
import { KernelLayout, startKernel, type PixelKernel } from '../kernels/pixel-kernel.js';
import { RowBuffer } from '../kernels/row-buffer.js';
import type { Resampling } from './resampling.js';

/** For each new sample `count` old ones with their weights, in the order in which they are summed. */
export interface Taps {
  readonly count: number;
  readonly index: Int32Array;
  readonly weight: Float32Array;
}

/** Stretched source rows that are kept, found by their number: a new row needs at most four neighbours. */
const KEPT_ROWS = 8;

/**
 * Resamples along the rows, then across them. Both times a new sample is the product of its first tap, then `a * b + c`
 * tap by tap, each rounded once to float32 as by fused multiplication and addition.
 */
export async function resampleByTaps(work: Resampling, columns: Taps, rows: Taps): Promise<void> {
  const lines = new StretchedLines(work, columns, rows);
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    lines.finish(y);
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

class StretchedLines {
  private readonly kept: readonly { row: number; readonly at: number }[];
  private readonly kernel: PixelKernel;
  private readonly words: Int32Array;
  private readonly weights: Float32Array;
  private readonly source: RowBuffer;
  private readonly result: RowBuffer;
  private readonly tables: { readonly columns: number; readonly rows: number };

  constructor(
    private readonly work: Resampling,
    private readonly columns: Taps,
    private readonly rows: Taps,
  ) {
    const { fromWidth, toWidth, channels } = work;
    if (channels > MAX_CHANNELS) throw new RangeError(`a picture of ${channels} channels: at most ${MAX_CHANNELS}`);
    const samples = toWidth * channels;
    const layout = new KernelLayout();
    const tables = {
      columns: layout.take(toWidth * columns.count * TAP_BYTES),
      rows: layout.take(rows.count * TAP_BYTES),
    };
    const source = layout.take(RowBuffer.bytesOf(fromWidth * channels + FUSED_GROUP));
    const result = layout.take(RowBuffer.bytesOf(samples + FUSED_GROUP));
    this.kept = Array.from({ length: KEPT_ROWS }, () => ({ row: -1, at: layout.take((samples + FUSED_GROUP) * 4) }));
    this.tables = tables;
    this.kernel = startKernel(layout);
    const { buffer } = this.kernel;
    this.words = new Int32Array(buffer);
    this.weights = new Float32Array(buffer);
    this.source = new RowBuffer(buffer, source, fromWidth * channels);
    this.result = new RowBuffer(buffer, result, samples);
    for (let tap = 0, at = tables.columns / 4; tap < columns.index.length; tap += 1, at += 2) {
      this.words[at] = (columns.index[tap] as number) * channels * 4;
      this.weights[at + 1] = columns.weight[tap] as number;
    }
  }

  /** Makes a new row. */
  finish(y: number): void {
    const { rows, tables, work } = this;
    for (let tap = 0; tap < rows.count; tap += 1) {
      const at = tables.rows / 4 + 2 * tap;
      this.words[at] = this.stretched(rows.index[y * rows.count + tap] as number);
      this.weights[at + 1] = rows.weight[y * rows.count + tap] as number;
    }
    const samples = work.toWidth * work.channels;
    const to = this.result.addressFor(work.to, y * samples);
    this.kernel.run.fusedRows(tables.rows, tables.rows + rows.count * TAP_BYTES, to, samples * 4);
    this.result.write(work.to, y * samples);
  }

  /** Address of a source row at the new width. */
  private stretched(row: number): number {
    const line = this.kept[row % KEPT_ROWS] as { row: number; readonly at: number };
    if (line.row === row) return line.at;
    const { columns, tables, work } = this;
    const from = this.source.read(work.from, row * work.fromWidth * work.channels);
    const end = tables.columns + work.toWidth * columns.count * TAP_BYTES;
    this.kernel.run.fusedColumns(from, tables.columns, end, columns.count * TAP_BYTES, line.at, work.channels * 4);
    line.row = row;
    return line.at;
  }
}
