import type { NodeImplementation } from '../execution/node-class.js';
import { normalSamples } from '../random/normal-samples.js';
import { Image } from '../values/image.js';

const { fround } = Math;

/** Adds normally distributed noise; equal seeds give the noise that torch's generator gives. */
export const imageAddNoise: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const strength = fround(inputs.float('strength'));
    const data = context.pixels(image.data.length);
    normalSamples(inputs.bigInt('seed'), data);
    for (let i = 0; i < data.length; i += 1) {
      const value = fround((image.data[i] as number) + fround(strength * (data[i] as number)));
      data[i] = value < 0 ? 0 : value > 1 ? 1 : value;
    }
    return [new Image([image.batch, image.height, image.width, image.channels], data)];
  },
};
