import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';
import { writePreviews } from './save-image.js';

const CHANNELS = ['red', 'green', 'blue', 'alpha'] as const;

export const maskToImage: NodeImplementation = {
  run: (inputs, context) => [greyImage(inputs.mask('mask'), context)],
};

export const imageToMask: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const channel = CHANNELS.indexOf(inputs.choice('channel', CHANNELS));
    const { channels } = image;
    if (channel >= channels) {
      throw new NodeError('IndexError', `index ${channel} is out of bounds for dimension 3 with size ${channels}`);
    }
    const data = context.pixels(image.batch * image.height * image.width);
    for (let i = 0, from = channel; i < data.length; i += 1, from += channels) data[i] = image.data[from] as number;
    return [new Mask(image.batch, image.height, image.width, data)];
  },
};

export const maskPreview: NodeImplementation = {
  async run(inputs, context) {
    const mask = inputs.mask('mask');
    await writePreviews(greyImage(mask, context), context);
    context.show('animated', false);
    return [mask];
  },
};

function greyImage(mask: Mask, context: NodeContext): Image {
  if (mask.data.length === 0) {
    throw new NodeError(
      'RuntimeError',
      `cannot reshape tensor of 0 elements into shape [-1, 1, ${mask.height}, ${mask.width}] because the unspecified dimension size -1 can be any value and is ambiguous`,
    );
  }
  const data = context.pixels(mask.data.length * 3);
  for (let i = 0, to = 0; i < mask.data.length; i += 1, to += 3) {
    const value = mask.data[i] as number;
    data[to] = value;
    data[to + 1] = value;
    data[to + 2] = value;
  }
  return new Image([mask.batch, mask.height, mask.width, 3], data);
}
