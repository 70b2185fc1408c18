import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { upscale } from '../pixels/resample.js';
import { resizeMask } from '../pixels/resize-mask.js';
import { Image } from '../values/image.js';
import type { Mask } from '../values/mask.js';
import { withChannelsOf } from './image-batch.js';

const { fround } = Math;

/** `mask * source + (1 - mask) * destination` where the source lies; the rest stays. */
export const imageCompositeMasked: NodeImplementation = {
  async run(inputs, context) {
    const destination = inputs.image('destination');
    const given = withChannelsOf(destination, inputs.image('source'), context);
    const resized = inputs.flag('resize_source', false)
      ? await upscale(given, destination.width, destination.height, 'bilinear', 'disabled', context)
      : given;
    const left = Math.max(-resized.width, Math.min(inputs.int('x'), destination.width));
    const top = Math.max(-resized.height, Math.min(inputs.int('y'), destination.height));
    const mask = inputs.optionalMask('mask');
    const scaled = mask === null ? null : await resizeMask(mask, resized.width, resized.height, context);
    return [compose(destination, resized, scaled, left, top, context)];
  },
};

function compose(
  destination: Image,
  source: Image,
  mask: Mask | null,
  left: number,
  top: number,
  context: NodeContext,
): Image {
  const { channels } = destination;
  const width = Math.min(source.width, destination.width - left);
  const height = Math.min(source.height, destination.height - top);
  const data = context.pixels(destination.data.length);
  data.set(destination.data);
  for (let frame = 0; frame < destination.batch; frame += 1) {
    const from = source.frame(frame % source.batch);
    const weights = mask?.frame(frame % mask.batch);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const weight = weights ? (weights[y * source.width + x] as number) : 1;
        const rest = fround(1 - weight);
        const to = frame * destination.stride + ((top + y) * destination.width + left + x) * channels;
        const at = (y * source.width + x) * channels;
        for (let c = 0; c < channels; c += 1) {
          data[to + c] = fround(weight * (from[at + c] as number)) + fround(rest * (data[to + c] as number));
        }
      }
    }
  }
  return new Image([destination.batch, destination.height, destination.width, channels], data);
}
