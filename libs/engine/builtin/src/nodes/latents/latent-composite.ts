import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { resizePlanes } from '../../tensors/resize-planes.js';
import { repeatToBatch } from '../../tensors/slice.js';
import { Tensor } from '../../values/tensor.js';
import { requirePicture, samplesOf, withSamples } from './latent-value.js';

const { fround, floor, max, min } = Math;
/** Picture pixels for one latent sample. */
const SCALE = 8;

export const latentComposite: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples_to');
    const to = requirePicture(samplesOf(latent));
    const from = requirePicture(samplesOf(inputs.latent('samples_from')));
    if (from.size(0) !== to.size(0) && from.size(0) !== 1) {
      throw new NodeError(
        'RuntimeError',
        `The expanded size of the tensor (${to.size(0)}) must match the existing size (${from.size(0)}) at non-singleton dimension 0.`,
      );
    }
    const [x, y] = [floor(inputs.int('x') / SCALE), floor(inputs.int('y') / SCALE)];
    const feather = floor(inputs.int('feather') / SCALE);
    const width = max(0, min(from.size(3), to.size(3) - x));
    const height = max(0, min(from.size(2), to.size(2) - y));
    const columns = fade(width, feather, x !== 0, x + width < to.size(3));
    const rows = fade(height, feather, y !== 0, y + height < to.size(2));
    const data = context.pixels(to.data.length);
    data.set(to.data);
    const planes = to.size(0) * to.size(1);
    for (let plane = 0; plane < planes; plane += 1) {
      const source = (plane % (from.size(0) * from.size(1))) * from.size(2) * from.size(3);
      for (let row = 0; row < height; row += 1) {
        for (let column = 0; column < width; column += 1) {
          const at = (plane * to.size(2) + y + row) * to.size(3) + x + column;
          const weight = weightAt(rows, columns, row, column);
          const above = fround((from.data[source + row * from.size(3) + column] as number) * weight);
          data[at] = feather === 0 ? above : above + fround((data[at] as number) * fround(1 - weight));
        }
      }
    }
    return [withSamples(latent, new Tensor(to.shape, data))];
  },
};

/** Factors of a line that fades in from either end; each in the order in which the engine multiplies them. */
function fade(size: number, feather: number, start: boolean, end: boolean): readonly (readonly number[])[] {
  const factors: number[][] = Array.from({ length: size }, () => []);
  for (let t = 0; t < feather; t += 1) {
    const rate = fround((1 / feather) * (t + 1));
    if (start) factors[t]?.push(rate);
    if (end) factors[size - 1 - t]?.push(rate);
  }
  return factors;
}

function weightAt(
  rows: readonly (readonly number[])[],
  columns: readonly (readonly number[])[],
  row: number,
  column: number,
): number {
  let weight = 1;
  for (const factor of rows[row] ?? []) weight = fround(weight * factor);
  for (const factor of columns[column] ?? []) weight = fround(weight * factor);
  return weight;
}

export const latentCompositeMasked: NodeImplementation = {
  async run(inputs, context) {
    const latent = inputs.latent('destination');
    const to = requirePicture(samplesOf(latent));
    const given = requirePicture(samplesOf(inputs.latent('source')));
    const mask = inputs.optionalMask('mask') === null ? null : inputs.maskTensor('mask');
    const resized = inputs.flag('resize_source', false)
      ? await resizePlanes(given, to.size(3), to.size(2), 'bilinear', 'disabled', context)
      : given;
    const from = repeatToBatch(resized, to.size(0), context);
    const position = { x: inputs.int('x'), y: inputs.int('y') };
    return [withSamples(latent, await pasted(to, from, mask, position, context))];
  },
};

async function pasted(
  to: Tensor,
  from: Tensor,
  mask: Tensor | null,
  position: { x: number; y: number },
  context: NodeContext,
): Promise<Tensor> {
  const [width, height] = [from.size(3), from.size(2)];
  const left = floor(max(-width * SCALE, min(position.x, to.size(3) * SCALE)) / SCALE);
  const top = floor(max(-height * SCALE, min(position.y, to.size(2) * SCALE)) / SCALE);
  const weights =
    mask === null
      ? null
      : repeatToBatch(await resizePlanes(mask, width, height, 'bilinear', 'disabled', context), from.size(0), context);
  const data = context.pixels(to.data.length);
  data.set(to.data);
  const [channels, plane] = [to.size(1), to.size(2) * to.size(3)];
  for (let b = 0; b < to.size(0); b += 1) {
    for (let c = 0; c < channels; c += 1) {
      for (let row = 0; row < min(height, to.size(2) - top); row += 1) {
        for (let column = 0; column < min(width, to.size(3) - left); column += 1) {
          const at = (b * channels + c) * plane + (top + row) * to.size(3) + left + column;
          const weight = weights === null ? 1 : (weights.data[(b * height + row) * width + column] as number);
          const value = from.data[((b * channels + c) * height + row) * width + column] as number;
          data[at] = fround(weight * value) + fround(fround(1 - weight) * (data[at] as number));
        }
      }
    }
  }
  return new Tensor(to.shape, data);
}
