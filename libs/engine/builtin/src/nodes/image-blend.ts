import type { NodeClass } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { BLEND_MODES, blendRow } from '../pixels/blend-modes.js';
import { upscale } from '../pixels/resample.js';
import { Image } from '../values/image.js';
import { withChannelsOf } from './image-batch.js';

const { fround } = Math;

export const imageBlend: NodeClass = {
  async run(inputs, context) {
    const mode = inputs.choice('blend_mode', BLEND_MODES);
    const factor = fround(inputs.float('blend_factor'));
    const lower = inputs.image('image1');
    const given = withChannelsOf(lower, inputs.image('image2'), context);
    const upper =
      given.width === lower.width && given.height === lower.height
        ? given
        : await upscale(given, lower.width, lower.height, 'bicubic', 'center', context);
    if (upper.batch !== lower.batch && upper.batch !== 1 && lower.batch !== 1) {
      throw new NodeError(
        'RuntimeError',
        `The size of tensor a (${lower.batch}) must match the size of tensor b (${upper.batch}) at non-singleton dimension 0`,
      );
    }
    const batch = Math.max(lower.batch, upper.batch);
    const data = context.pixels(batch * lower.stride);
    const result = new Image(batch, lower.height, lower.width, lower.channels, data);
    const blend = blendRow[mode];
    const keep = fround(1 - factor);
    const rowLength = lower.width * lower.channels;
    for (let row = 0; row < batch * lower.height; row += 1) {
      const start = row * rowLength;
      const to = data.subarray(start, start + rowLength);
      const under = rowAt(lower, start, rowLength);
      blend(under, rowAt(upper, start, rowLength), to);
      for (let i = 0; i < rowLength; i += 1) {
        const value = fround(fround((under[i] as number) * keep) + fround((to[i] as number) * factor));
        to[i] = value < 0 ? 0 : value > 1 ? 1 : value;
      }
      const pause = context.checkpoint(row + 1, batch * lower.height);
      if (pause) await pause;
    }
    return [result];
  },
};

/** Samples from a position on; a batch of one is read again for every picture of the other. */
function rowAt({ data }: Image, start: number, length: number): Float32Array {
  const at = start % data.length;
  return data.subarray(at, at + length);
}
