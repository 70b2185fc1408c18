import type { NodeImplementation } from '../execution/node-class.js';
import { resizeMask } from '../pixels/resize-mask.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';

export const splitImageWithAlpha: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const { batch, height, width, channels } = image;
    const pixels = batch * height * width;
    const colours = context.pixels(pixels * 3);
    const alpha = context.pixels(pixels);
    for (let i = 0; i < pixels; i += 1) {
      for (let c = 0; c < 3; c += 1)
        colours[i * 3 + c] = image.data[i * channels + Math.min(c, channels - 1)] as number;
      alpha[i] = channels > 3 ? 1 - (image.data[i * channels + 3] as number) : 0;
    }
    return [new Image([batch, height, width, 3], colours), new Mask(batch, height, width, alpha)];
  },
};

/** The mask is what is transparent: alpha = 1 - mask. */
export const joinImageWithAlpha: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const mask = await resizeMask(inputs.mask('alpha'), image.width, image.height, context);
    const batch = Math.max(image.batch, mask.batch);
    const data = context.pixels(batch * image.height * image.width * 4);
    const pixels = image.height * image.width;
    for (let frame = 0; frame < batch; frame += 1) {
      const from = image.frame(frame % image.batch);
      const weights = mask.frame(frame % mask.batch);
      for (let i = 0; i < pixels; i += 1) {
        const to = (frame * pixels + i) * 4;
        for (let c = 0; c < 3; c += 1) data[to + c] = from[i * image.channels + c] as number;
        data[to + 3] = 1 - (weights[i] as number);
      }
    }
    return [new Image([batch, image.height, image.width, 4], data)];
  },
};
