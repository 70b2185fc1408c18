import type { NodeImplementation } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { BLEND_MODES } from '../pixels/blend-modes.js';
import { upscale } from '../pixels/resample.js';
import { splitRows } from '../threads/split-rows.js';
import { Image } from '../values/image.js';
import { withChannelsOf } from './image-batch.js';

export const imageBlend: NodeImplementation = {
  async run(inputs, context) {
    const mode = inputs.choice('blend_mode', BLEND_MODES);
    const factor = inputs.float('blend_factor');
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
    const data = context.unwritten(batch * lower.stride);
    const rowLength = lower.width * lower.channels;
    const rows = batch * lower.height;
    const work = { mode, factor, from: lower.data, upper: upper.data, to: data, rowLength, firstRow: 0, endRow: rows };
    await splitRows({ kind: 'blend', work }, (row) => context.checkpoint(row + 1, rows));
    return [new Image([batch, lower.height, lower.width, lower.channels], data)];
  },
};
