import { KernelLayout, startKernel, type PixelKernel } from '../kernels/pixel-kernel.js';
import { RowBuffer } from '../kernels/row-buffer.js';
import { SUM_ENTRY_BYTES, SUM_GROUP } from '../kernels/weighted-sum.js';

/** One picture to blur, and which of its rows. */
export interface BlurRows {
  readonly from: Float32Array;
  readonly to: Float32Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly radius: number;
  readonly sigma: number;
  /** Sharpen: `v + strength * (v - blurred)`, clamped to 0..1, instead of the blurred value. */
  readonly strength?: number;
  readonly firstRow: number;
  readonly endRow: number;
  readonly afterRow: (row: number) => void | Promise<void>;
}

export async function blurRows(work: BlurRows): Promise<void> {
  const { height, radius } = work;
  const lines = new BlurLines(work);
  let blurred = Math.max(0, work.firstRow - radius);
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    for (; blurred <= Math.min(y + radius, height - 1); blurred += 1) lines.blurAlong(blurred);
    lines.blurAcross(y);
    const pause = work.afterRow(y);
    if (pause) await pause;
  }
}

/** The rows that the kernel covers, blurred along, each at its number modulo the kernel's size. */
class BlurLines {
  private readonly samples: number;
  private readonly lineBytes: number;
  private readonly kept: number;
  private readonly wide: number;
  private readonly tables: { readonly along: number; readonly across: number; readonly bytes: number };
  private readonly kernel: PixelKernel;
  private readonly addresses: Uint32Array;
  /** All of the kernel's memory. */
  private readonly floats: Float32Array;
  /** A row of the picture, with room for its mirrored borders around, and a finished one. */
  private readonly row: RowBuffer;
  private readonly result: RowBuffer;

  constructor(private readonly work: BlurRows) {
    const { width, channels, radius } = work;
    this.samples = width * channels;
    const padded = this.samples + 2 * radius * channels;
    this.lineBytes = Math.ceil(this.samples / SUM_GROUP) * SUM_GROUP * 8;
    const layout = new KernelLayout();
    const bytes = (radius + 1) * SUM_ENTRY_BYTES;
    this.tables = { along: layout.take(bytes), across: layout.take(bytes), bytes };
    layout.take(radius * channels * 4);
    const row = layout.take(RowBuffer.bytesOf(this.samples + radius * channels + SUM_GROUP));
    const result = layout.take(RowBuffer.bytesOf(this.lineBytes / 8));
    this.wide = layout.take((padded + SUM_GROUP) * 8);
    this.kept = layout.take(this.lineBytes * (2 * radius + 1));
    this.kernel = startKernel(layout);
    const { buffer } = this.kernel;
    this.addresses = new Uint32Array(buffer);
    this.floats = new Float32Array(buffer);
    this.row = new RowBuffer(buffer, row, this.samples);
    this.result = new RowBuffer(buffer, result, this.samples);
    const weights = gaussianWeights(radius, work.sigma);
    this.writeWeights(this.tables.along, weights);
    this.writeWeights(this.tables.across, weights);
    this.writeLines(this.tables.along, (k) => this.wide + k * channels * 8);
  }

  blurAlong(row: number): void {
    const { run } = this.kernel;
    const { radius, channels, from } = this.work;
    const at = this.row.read(from, row * this.samples);
    this.mirrorBorders(at / 4);
    const border = radius * channels * 4;
    run.widenSamples(at - border, this.wide, at + this.samples * 4 + border);
    const { along, bytes } = this.tables;
    run.sumToDoubles(along, along + bytes, this.lineOf(row), this.lineBytes);
  }

  blurAcross(row: number): void {
    const { run } = this.kernel;
    const { radius, height, strength, from, to } = this.work;
    const { across, bytes } = this.tables;
    const start = row * this.samples;
    const result = this.result.addressFor(to, start);
    this.writeLines(across, (k) => this.lineOf(mirror(row + k - radius, height)));
    run.sumToSingles(across, across + bytes, result, this.lineBytes);
    if (strength !== undefined) {
      const at = this.row.read(from, start);
      run.sharpenSamples(at, result, at + this.samples * 4, strength);
    }
    this.result.write(to, start);
  }

  /** Around the row that lies at this index of the memory. */
  private mirrorBorders(first: number): void {
    const { width, channels, radius } = this.work;
    for (let i = 1; i <= radius; i += 1) {
      const left = first + mirror(-i, width) * channels;
      const right = first + mirror(width - 1 + i, width) * channels;
      for (let c = 0; c < channels; c += 1) {
        this.floats[first - i * channels + c] = this.floats[left + c] as number;
        this.floats[first + (width - 1 + i) * channels + c] = this.floats[right + c] as number;
      }
    }
  }

  private lineOf(row: number): number {
    return this.kept + (row % (2 * this.work.radius + 1)) * this.lineBytes;
  }

  /** The middle, then the pairs from the outermost on. */
  private writeLines(table: number, line: (k: number) => number): void {
    const { radius } = this.work;
    const entry = SUM_ENTRY_BYTES / 4;
    let at = table / 4;
    this.addresses[at] = line(radius);
    for (let k = 0; k < radius; k += 1) {
      at += entry;
      this.addresses[at] = line(k);
      this.addresses[at + 1] = line(2 * radius - k);
    }
  }

  private writeWeights(table: number, weights: Float64Array): void {
    const { radius } = this.work;
    const entries = new Float64Array(this.kernel.buffer, table, (2 * this.tables.bytes) / SUM_ENTRY_BYTES);
    entries[1] = weights[radius] as number;
    for (let k = 0; k < radius; k += 1) entries[2 * k + 3] = weights[k] as number;
  }
}

/** One side of the separable kernel; its sum is 1. */
export function gaussianWeights(radius: number, sigma: number): Float64Array {
  const size = 2 * radius + 1;
  const weights = Float64Array.from({ length: size }, (_, i) => {
    const distance = -1 + (2 * i) / (size - 1);
    return Math.exp(-(distance * distance) / (2 * sigma * sigma));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Index mirrored at the borders without repeating the border itself. */
function mirror(index: number, size: number): number {
  if (index < 0) return -index;
  return index >= size ? 2 * (size - 1) - index : index;
}
