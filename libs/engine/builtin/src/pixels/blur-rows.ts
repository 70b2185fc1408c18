/** One picture to blur, and which of its rows. */
export interface BlurRows {
  readonly from: Float32Array;
  readonly to: Float32Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly radius: number;
  readonly sigma: number;
  readonly firstRow: number;
  readonly endRow: number;
  readonly afterRow: (row: number) => void | Promise<void>;
}

export async function blurRows(work: BlurRows): Promise<void> {
  const { from, to, width, height, channels, radius } = work;
  const weights = gaussianWeights(radius, work.sigma);
  const rowLength = width * channels;
  // Only the rows that the kernel covers are kept, each at its number modulo the kernel's size.
  const kept = Array.from(weights, () => new Float64Array(rowLength));
  const padded = new Float64Array((width + 2 * radius) * channels);
  const sums = new Float64Array(rowLength);
  let blurred = Math.max(0, work.firstRow - radius);
  for (let y = work.firstRow; y < work.endRow; y += 1) {
    for (; blurred <= Math.min(y + radius, height - 1); blurred += 1) {
      mirrorRow(from, blurred * rowLength, padded, width, channels, radius);
      const line = kept[blurred % kept.length] as Float64Array;
      addWeighted(line, weights, (k) => padded.subarray(k * channels));
    }
    addWeighted(sums, weights, (k) => kept[mirror(y + k - radius, height) % kept.length] as Float64Array);
    to.set(sums, y * rowLength);
    const pause = work.afterRow(y);
    if (pause) await pause;
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
