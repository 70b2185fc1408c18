import {
  BYTE_GROUP,
  LINE_PAIR_BYTES,
  LOW_BITS,
  pairLanes,
  PIXEL_PAIR_BYTES,
  WEIGHT_PAIR_BYTES,
} from '../kernels/byte-windows.js';
import { KernelLayout, startKernel, type PixelKernel } from '../kernels/pixel-kernel.js';
import { RowBuffer } from '../kernels/row-buffer.js';
import { lanczosWindows, type LanczosWindows } from './lanczos-windows.js';
import { premultiply, unpremultiply } from './premultiply.js';
import type { Resampling } from './resampling.js';

/** The source rows that one new row looks at, brought to the new width and kept as bytes until no new row needs them. */
export class LanczosRows {
  private readonly rows: LanczosWindows | null;
  private readonly columns: LanczosWindows | null;
  private readonly withAlpha: boolean;
  private readonly lineBytes: number;
  private readonly places: {
    /** A row of the picture and a new one, as bytes. */
    readonly source: number;
    readonly line: number;
    readonly lanes: number;
    readonly pairs: number;
    readonly starts: number;
    readonly weights: number;
    readonly table: number;
    readonly lines: number;
  };
  private readonly kernel: PixelKernel;
  private readonly words: Int32Array;
  private readonly shorts: Int16Array;
  private readonly source: RowBuffer;
  private readonly result: RowBuffer;

  constructor(private readonly work: Resampling) {
    const { fromWidth, fromHeight, toWidth, toHeight, channels } = work;
    this.rows = fromHeight === toHeight ? null : lanczosWindows(fromHeight, toHeight);
    this.columns = fromWidth === toWidth ? null : lanczosWindows(fromWidth, toWidth);
    this.withAlpha = channels === 4 && (this.rows !== null || this.columns !== null);
    const [sourceSamples, samples] = [fromWidth * channels, toWidth * channels];
    this.lineBytes = grouped(samples + BYTE_GROUP);
    const layout = new KernelLayout();
    const source = layout.take(RowBuffer.bytesOf(grouped(sourceSamples)));
    const result = layout.take(RowBuffer.bytesOf(this.lineBytes));
    this.places = {
      source: layout.take(grouped(sourceSamples) + BYTE_GROUP),
      line: layout.take(this.lineBytes),
      lanes: layout.take(BYTE_GROUP),
      // A window may reach beyond the end of a row, with weights of zero.
      pairs: layout.take((fromWidth + (this.columns?.size ?? 0)) * PIXEL_PAIR_BYTES),
      starts: layout.take((this.columns?.start.length ?? 0) * 4),
      weights: layout.take(((this.columns?.weights.length ?? 0) / 2) * WEIGHT_PAIR_BYTES),
      table: layout.take(((this.rows?.size ?? 0) / 2) * LINE_PAIR_BYTES),
      lines: layout.take(this.lineBytes * (this.rows?.size ?? 1)),
    };
    this.kernel = startKernel(layout);
    const { buffer } = this.kernel;
    this.words = new Int32Array(buffer);
    this.shorts = new Int16Array(buffer);
    this.source = new RowBuffer(buffer, source, sourceSamples);
    this.result = new RowBuffer(buffer, result, samples);
    if (this.columns !== null) this.writeColumns(this.columns);
  }

  /** Which source rows a new one looks at. */
  windowOf(row: number): { first: number; end: number } {
    if (this.rows === null) return { first: row, end: row + 1 };
    const first = this.rows.start[row] as number;
    return { first, end: first + (this.rows.count[row] as number) };
  }

  /** Brings a source row to the new width. */
  narrow(row: number): void {
    const { columns, places, work } = this;
    const { run, buffer } = this.kernel;
    const samples = work.fromWidth * work.channels;
    const from = this.source.read(work.from, row * samples);
    const bytes = columns === null ? this.lineOf(row) : places.source;
    run.quantiseRow(from, bytes, from + samples * 4);
    if (this.withAlpha) premultiply(new Uint8Array(buffer, bytes, samples));
    if (columns === null) return;
    const { starts, weights, pairs, lanes } = places;
    run.pairPixels(bytes, pairs, pairs + work.fromWidth * PIXEL_PAIR_BYTES, work.channels, lanes);
    const pairBytes = (columns.size / 2) * WEIGHT_PAIR_BYTES;
    run.columnSums(starts, starts + work.toWidth * 4, weights, pairBytes, this.lineOf(row), work.channels);
  }

  /** Makes a new row of those in its window. */
  finish(row: number): void {
    const { rows, places, work } = this;
    const { run, buffer } = this.kernel;
    const samples = work.toWidth * work.channels;
    const bytes = rows === null ? this.lineOf(row) : places.line;
    if (rows !== null) run.rowSums(places.table, this.writeRows(rows, row), bytes, samples);
    if (this.withAlpha) unpremultiply(new Uint8Array(buffer, bytes, samples));
    run.unitRow(bytes, this.result.addressFor(work.to, row * samples), bytes + samples);
    this.result.write(work.to, row * samples);
  }

  private lineOf(row: number): number {
    return this.places.lines + (row % (this.rows?.size ?? 1)) * this.lineBytes;
  }

  private writeColumns({ start, weights }: LanczosWindows): void {
    const { places, words, shorts, work } = this;
    new Uint8Array(this.kernel.buffer).set(pairLanes(work.channels), places.lanes);
    start.forEach((first, x) => (words[places.starts / 4 + x] = places.pairs + first * PIXEL_PAIR_BYTES));
    for (let k = 0; k < weights.length; k += 2) writeWeights(shorts, places.weights / 2 + 2 * k, weights, k);
  }

  /** The table of the rows that `row` looks at, in pairs; answers its end. */
  private writeRows({ weights, size, start, count }: LanczosWindows, row: number): number {
    const { table } = this.places;
    const [first, used] = [start[row] as number, count[row] as number];
    let at = table;
    for (let k = 0; k < used; k += 2, at += LINE_PAIR_BYTES) {
      this.words[at / 4] = this.lineOf(first + k);
      // Beyond an odd count the weight is 0, whatever the line.
      this.words[at / 4 + 1] = this.lineOf(first + Math.min(k + 1, used - 1));
      writeWeights(this.shorts, at / 2 + 4, weights, row * size + k);
    }
    return at;
  }
}

/** The high parts of two neighbouring weights, then the low ones. */
function writeWeights(to: Int16Array, at: number, weights: Int32Array, k: number): void {
  const [one, two] = [weights[k] as number, weights[k + 1] as number];
  const low = (1 << LOW_BITS) - 1;
  to[at] = one >> LOW_BITS;
  to[at + 1] = two >> LOW_BITS;
  to[at + 2] = one & low;
  to[at + 3] = two & low;
}

function grouped(bytes: number): number {
  return Math.ceil(bytes / BYTE_GROUP) * BYTE_GROUP;
}
