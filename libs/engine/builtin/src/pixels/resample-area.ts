import { MAX_CHANNELS } from '../kernels/fused-sum.js';
import { KernelLayout, startKernel, type PixelKernel } from '../kernels/pixel-kernel.js';
import { RowBuffer } from '../kernels/row-buffer.js';
import { SUM_BYTES, WINDOW_BYTES } from '../kernels/window-mean.js';
import type { Resampling } from './resampling.js';

/** `area`: the mean of the source samples that a new one touches, summed in float32 row by row. */
export async function resampleArea(work: Resampling): Promise<void> {
  const { fromHeight, toHeight } = work;
  const means = new AreaMeans(work);
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    const { start, end } = windowOf(y, fromHeight, toHeight);
    means.clear();
    for (let row = start; row < end; row += 1) {
      means.addRow(row);
      const pause = work.afterRow(y);
      if (pause) await pause;
    }
    means.finish(y, end - start);
  }
}

/** The sums of one new row. */
class AreaMeans {
  private readonly pixelBytes: number;
  private readonly places: { readonly windows: number; readonly windowsEnd: number; readonly height: number };
  private readonly kernel: PixelKernel;
  private readonly sums: Float32Array;
  private readonly height: Float32Array;
  private readonly source: RowBuffer;
  private readonly result: RowBuffer;

  constructor(private readonly work: Resampling) {
    const { fromWidth, toWidth, channels } = work;
    if (channels > MAX_CHANNELS) throw new RangeError(`a picture of ${channels} channels: at most ${MAX_CHANNELS}`);
    this.pixelBytes = channels * Float32Array.BYTES_PER_ELEMENT;
    const layout = new KernelLayout();
    const windows = layout.take(toWidth * WINDOW_BYTES);
    this.places = { windows, windowsEnd: windows + toWidth * WINDOW_BYTES, height: layout.take(4) };
    const sums = layout.take(toWidth * SUM_BYTES);
    const source = layout.take(RowBuffer.bytesOf(fromWidth * channels + MAX_CHANNELS));
    const result = layout.take(RowBuffer.bytesOf(toWidth * channels + MAX_CHANNELS));
    this.kernel = startKernel(layout);
    const { buffer } = this.kernel;
    this.sums = new Float32Array(buffer, sums, toWidth * (SUM_BYTES / 4));
    this.height = new Float32Array(buffer, this.places.height, 1);
    this.source = new RowBuffer(buffer, source, fromWidth * channels);
    this.result = new RowBuffer(buffer, result, toWidth * channels);
    this.writeWindows(new DataView(buffer));
  }

  clear(): void {
    this.sums.fill(0);
  }

  addRow(row: number): void {
    const { pixelBytes, places, sums, work } = this;
    const from = this.source.read(work.from, row * work.fromWidth * work.channels);
    this.kernel.run.addWindows(from, places.windows, places.windowsEnd, sums.byteOffset, pixelBytes);
  }

  /** Makes a new row of the sums of `height` source rows. */
  finish(y: number, height: number): void {
    const { pixelBytes, places, sums, work } = this;
    const start = y * work.toWidth * work.channels;
    const to = this.result.addressFor(work.to, start);
    this.height[0] = height;
    const { windows, windowsEnd } = places;
    this.kernel.run.windowMeans(sums.byteOffset, windows, windowsEnd, places.height, to, pixelBytes);
    this.result.write(work.to, start);
  }

  private writeWindows(view: DataView): void {
    const { fromWidth, toWidth } = this.work;
    for (let x = 0, at = this.places.windows; x < toWidth; x += 1, at += WINDOW_BYTES) {
      const { start, end } = windowOf(x, fromWidth, toWidth);
      view.setUint32(at, start * this.pixelBytes, true);
      view.setUint32(at + 4, end * this.pixelBytes, true);
      view.setFloat32(at + 8, end - start, true);
    }
  }
}

/** Which source samples of one direction a new one touches. */
function windowOf(index: number, oldSize: number, newSize: number): { start: number; end: number } {
  return {
    start: Math.floor((index * oldSize) / newSize),
    end: Math.ceil(((index + 1) * oldSize) / newSize),
  };
}
