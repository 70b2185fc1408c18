import type { NodeContext } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import type { Image } from '../values/image.js';

/**
 * The engine's blur of one picture: a (2r+1)^2 kernel `exp(-d^2 / (2 sigma^2))` whose coordinates run from -1 to 1,
 * borders mirrored. The kernel is a product, so rows and columns are summed one after the other, in double precision.
 * The result differs from the engine's float32 sum by less than one step of a byte.
 */
export async function gaussianBlur(
  image: Image,
  radius: number,
  sigma: number,
  to: Float32Array,
  context: Pick<NodeContext, 'checkpoint'>,
): Promise<void> {
  const { width, height, channels, batch } = image;
  requireRoom(image, radius);
  const weights = gaussianWeights(radius, sigma);
  const rowLength = width * channels;
  // Only the rows that the kernel covers are kept, each at its number modulo the kernel's size.
  const kept = Array.from(weights, () => new Float64Array(rowLength));
  const padded = new Float64Array((width + 2 * radius) * channels);
  const sums = new Float64Array(rowLength);
  for (let frame = 0; frame < batch; frame += 1) {
    const from = image.frame(frame);
    let blurred = 0;
    for (let y = 0; y < height; y += 1) {
      for (; blurred <= Math.min(y + radius, height - 1); blurred += 1) {
        mirrorRow(from, blurred * rowLength, padded, width, channels, radius);
        const line = kept[blurred % kept.length] as Float64Array;
        addWeighted(line, weights, (k) => padded.subarray(k * channels));
      }
      addWeighted(sums, weights, (k) => kept[mirror(y + k - radius, height) % kept.length] as Float64Array);
      to.set(sums, (frame * height + y) * rowLength);
      const pause = context.checkpoint(frame * height + y + 1, batch * height);
      if (pause) await pause;
    }
  }
}

/**
 * `sums` becomes the sum of the lines times their weights. A kernel has an odd number of weights: one line alone, then
 * two pairs, each pair sharing the weight of its two sides, in one pass.
 */
function addWeighted(sums: Float64Array, weights: Float64Array, line: (k: number) => Float64Array): void {
  const count = sums.length;
  const radius = (weights.length - 1) / 2;
  const [middle, centre] = [line(radius), weights[radius] as number];
  for (let i = 0; i < count; i += 1) sums[i] = centre * (middle[i] as number);
  for (let k = 0; k < radius; k += 2) {
    const [left, right, weight] = [line(k), line(2 * radius - k), weights[k] as number];
    if (k + 1 === radius) {
      for (let i = 0; i < count; i += 1) {
        sums[i] = (sums[i] as number) + weight * ((left[i] as number) + (right[i] as number));
      }
      return;
    }
    const [left2, right2, weight2] = [line(k + 1), line(2 * radius - k - 1), weights[k + 1] as number];
    for (let i = 0; i < count; i += 1) {
      const outer = weight * ((left[i] as number) + (right[i] as number));
      sums[i] = (sums[i] as number) + outer + weight2 * ((left2[i] as number) + (right2[i] as number));
    }
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

function mirrorRow(
  from: Float32Array,
  start: number,
  padded: Float64Array,
  width: number,
  channels: number,
  radius: number,
): void {
  padded.set(from.subarray(start, start + width * channels), radius * channels);
  for (let i = 1; i <= radius; i += 1) {
    const left = start + mirror(-i, width) * channels;
    const right = start + mirror(width - 1 + i, width) * channels;
    for (let c = 0; c < channels; c += 1) {
      padded[(radius - i) * channels + c] = from[left + c] as number;
      padded[(radius + width - 1 + i) * channels + c] = from[right + c] as number;
    }
  }
}

/** Index mirrored at the borders without repeating the border itself. */
function mirror(index: number, size: number): number {
  if (index < 0) return -index;
  return index >= size ? 2 * (size - 1) - index : index;
}

function requireRoom({ batch, channels, height, width }: Image, radius: number): void {
  const dimension = radius >= width ? 3 : radius >= height ? 2 : null;
  if (dimension === null) return;
  throw new NodeError(
    'RuntimeError',
    'Argument #4: Padding size should be less than the corresponding input dimension, but got: ' +
      `padding (${radius}, ${radius}) at dimension ${dimension} of input [${batch}, ${channels}, ${height}, ${width}]`,
  );
}
