import type { NodeClass } from '../execution/node-class.js';
import { gaussianBlur } from '../pixels/gaussian.js';
import { Image } from '../values/image.js';

export const imageBlur: NodeClass = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const radius = inputs.int('blur_radius');
    if (radius === 0) return [image];
    const data = context.pixels(image.data.length);
    await gaussianBlur(image, radius, inputs.float('sigma'), data, context);
    return [new Image(image.batch, image.height, image.width, image.channels, data)];
  },
};

/** The blur's kernel times -10 alpha with its centre raised so that the sum is 1: `v + 10 alpha (v - blurred)`. */
export const imageSharpen: NodeClass = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const radius = inputs.int('sharpen_radius');
    if (radius === 0) return [image];
    const strength = inputs.float('alpha') * 10;
    const data = context.pixels(image.data.length);
    await gaussianBlur(image, radius, inputs.float('sigma'), data, context);
    const from = image.data;
    const count = from.length;
    for (let i = 0; i < count; i += 1) {
      const value = from[i] as number;
      const sharp = value + strength * (value - (data[i] as number));
      data[i] = sharp < 0 ? 0 : sharp > 1 ? 1 : sharp;
    }
    return [new Image(image.batch, image.height, image.width, image.channels, data)];
  },
};
