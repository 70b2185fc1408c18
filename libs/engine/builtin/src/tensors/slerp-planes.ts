import type { NodeContext } from '../execution/node-class.js';
import { cropToAspect, type Crop } from '../pixels/resample.js';
import { Image } from '../values/image.js';
import { sampleCount, Tensor } from '../values/tensor.js';

const { fround, sin, acos, sqrt, max, min, floor } = Math;
/** Directions closer than this are taken as one. */
const NEARLY_ONE = 1 - 1e-5;

/**
 * The engine's `bislerp`: rows, then columns, are interpolated along the arc between the two neighbouring vectors of
 * channels, their lengths linearly. Tensor `[batch, channels, ..., height, width]`.
 */
export function slerpPlanes(given: Tensor, width: number, height: number, crop: Crop, context: NodeContext): Tensor {
  const tensor = crop === 'center' ? croppedPlanes(given, width, height, context) : given;
  const across = slerpLast(tensor, width, context);
  const turned = slerpLast(transposed(across, context), height, context);
  return transposed(turned, context);
}

function croppedPlanes(tensor: Tensor, width: number, height: number, context: NodeContext): Tensor {
  const planes = sampleCount(tensor.shape.slice(0, -2));
  const cut = cropToAspect(
    new Image([planes, tensor.size(-2), tensor.size(-1), 1], tensor.data),
    width,
    height,
    context,
  );
  return new Tensor([...tensor.shape.slice(0, -2), cut.height, cut.width], cut.data);
}

function transposed(tensor: Tensor, context: NodeContext): Tensor {
  const [height, width] = [tensor.size(-2), tensor.size(-1)];
  const data = context.pixels(tensor.data.length);
  for (let plane = 0; plane < data.length; plane += height * width) {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) data[plane + x * height + y] = tensor.data[plane + y * width + x] as number;
    }
  }
  return new Tensor([...tensor.shape.slice(0, -2), width, height], data);
}

function slerpLast(tensor: Tensor, newSize: number, context: NodeContext): Tensor {
  const oldSize = tensor.size(-1);
  const [batch, channels] = [tensor.size(0), tensor.size(1)];
  // Rows of one channel: whatever stands between channels and the last dimension.
  const rows = sampleCount(tensor.shape.slice(2, -1));
  const data = context.pixels(batch * channels * rows * newSize);
  const [one, other] = [new Float32Array(channels), new Float32Array(channels)];
  const scale = fround(oldSize / newSize);
  for (let at = 0; at < newSize; at += 1) {
    const position = max(0, fround(fround(scale * fround(at + 0.5)) - 0.5));
    const first = min(floor(position), oldSize - 1);
    const second = min(first + 1, oldSize - 1);
    const ratio = fround(position - first);
    for (let b = 0; b < batch; b += 1) {
      for (let row = 0; row < rows; row += 1) {
        for (let c = 0; c < channels; c += 1) {
          const line = ((b * channels + c) * rows + row) * oldSize;
          one[c] = tensor.data[line + first] as number;
          other[c] = tensor.data[line + second] as number;
        }
        slerp(one, other, first === oldSize - 1 ? 0 : ratio);
        for (let c = 0; c < channels; c += 1) {
          data[((b * channels + c) * rows + row) * newSize + at] = one[c] as number;
        }
      }
    }
  }
  return new Tensor([...tensor.shape.slice(0, -1), newSize], data);
}

/** `one` becomes what lies between the two. */
function slerp(one: Float32Array, other: Float32Array, ratio: number): void {
  const [length1, length2] = [norm(one), norm(other)];
  let dot = 0;
  for (let c = 0; c < one.length; c += 1) dot = fround(dot + fround(unit(one, c, length1) * unit(other, c, length2)));
  if (dot > NEARLY_ONE) return;
  const rest = fround(1 - ratio);
  if (dot < -NEARLY_ONE) {
    for (let c = 0; c < one.length; c += 1) one[c] = (one[c] as number) * rest + (other[c] as number) * ratio;
    return;
  }
  const omega = fround(acos(dot));
  const sine = fround(sin(omega));
  const share1 = fround(fround(sin(fround(rest * omega))) / sine);
  const share2 = fround(fround(sin(fround(ratio * omega))) / sine);
  const length = fround(fround(length1 * rest) + fround(length2 * ratio));
  for (let c = 0; c < one.length; c += 1) {
    const sum = fround(fround(share1 * unit(one, c, length1)) + fround(share2 * unit(other, c, length2)));
    one[c] = sum * length;
  }
}

function norm(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return fround(sqrt(sum));
}

function unit(vector: Float32Array, at: number, length: number): number {
  return length === 0 ? 0 : fround((vector[at] as number) / length);
}
