import type { NodeImplementation } from '../execution/node-class.js';
import { cutOut } from '../pixels/resample.js';

export const imageCrop: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const x = Math.min(inputs.int('x'), image.width - 1);
    const y = Math.min(inputs.int('y'), image.height - 1);
    const width = Math.min(inputs.int('width'), image.width - x);
    const height = Math.min(inputs.int('height'), image.height - y);
    return [cutOut(image, x, y, width, height, context)];
  },
};
