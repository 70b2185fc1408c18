import type { NodeContext } from '../execution/node-class.js';
import type { Image } from '../values/image.js';

/**
 * Grey dilation (`highest`) or erosion by a square of `size` samples, beyond the border nothing counts. An even square
 * reaches one sample further to the left and up. Each direction is done by itself, in constant time per sample: the
 * extreme of a window is that of the end of one block and the start of the next.
 */
export async function slidingExtreme(
  image: Image,
  size: number,
  highest: boolean,
  context: NodeContext,
): Promise<Float32Array> {
  const { batch, height, width, channels } = image;
  const across = context.pixels(image.data.length);
  const line = new LineExtreme(size, highest, Math.max(width, height));
  for (let row = 0; row < batch * height; row += 1) {
    for (let c = 0; c < channels; c += 1) line.run(image.data, across, row * width * channels + c, channels, width);
    const pause = context.checkpoint(row + 1, batch * height * 2);
    if (pause) await pause;
  }
  const down = context.pixels(image.data.length);
  const rowLength = width * channels;
  for (let frame = 0; frame < batch; frame += 1) {
    for (let column = 0; column < rowLength; column += 1) {
      line.run(across, down, frame * image.stride + column, rowLength, height);
    }
    await context.checkpoint(batch * height + frame, batch * height * 2);
  }
  return down;
}

class LineExtreme {
  private readonly before: number;
  private readonly padded: Float32Array;
  private readonly fromStart: Float32Array;
  private readonly fromEnd: Float32Array;

  constructor(
    private readonly size: number,
    private readonly highest: boolean,
    longest: number,
  ) {
    this.before = Math.floor(size / 2);
    const room = longest + 2 * size;
    this.padded = new Float32Array(room);
    this.fromStart = new Float32Array(room);
    this.fromEnd = new Float32Array(room);
  }

  /** One line of `count` samples that lie `step` apart, from `start` on. */
  run(from: Float32Array, to: Float32Array, start: number, step: number, count: number): void {
    const { size, before, highest, padded, fromStart, fromEnd } = this;
    const least = highest ? -Infinity : Infinity;
    const length = Math.ceil((count + size - 1) / size) * size;
    padded.fill(least, 0, length);
    for (let i = 0; i < count; i += 1) padded[before + i] = from[start + i * step] as number;
    for (let block = 0; block < length; block += size) {
      let extreme = least;
      for (let i = block; i < block + size; i += 1) {
        const value = padded[i] as number;
        if (highest ? value > extreme : value < extreme) extreme = value;
        fromStart[i] = extreme;
      }
      extreme = least;
      for (let i = block + size - 1; i >= block; i -= 1) {
        const value = padded[i] as number;
        if (highest ? value > extreme : value < extreme) extreme = value;
        fromEnd[i] = extreme;
      }
    }
    for (let i = 0; i < count; i += 1) {
      const [left, right] = [fromEnd[i] as number, fromStart[i + size - 1] as number];
      to[start + i * step] = (highest ? left > right : left < right) ? left : right;
    }
  }
}
