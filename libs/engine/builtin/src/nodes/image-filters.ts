import type { NodeImplementation } from '../execution/node-class.js';
import { gaussianBlur } from '../pixels/gaussian.js';
import { Image } from '../values/image.js';

export const imageBlur: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const radius = inputs.int('blur_radius');
    if (radius === 0) return [image];
    const data = context.unwritten(image.data.length);
    await gaussianBlur(image, radius, inputs.float('sigma'), data, context);
    return [new Image([image.batch, image.height, image.width, image.channels], data)];
  },
};

/** Sharper by ten times `alpha`. */
export const imageSharpen: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const radius = inputs.int('sharpen_radius');
    if (radius === 0) return [image];
    const data = context.unwritten(image.data.length);
    await gaussianBlur(image, radius, inputs.float('sigma'), data, context, inputs.float('alpha') * 10);
    return [new Image([image.batch, image.height, image.width, image.channels], data)];
  },
};
