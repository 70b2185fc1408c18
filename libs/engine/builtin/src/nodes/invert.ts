import type { NodeImplementation } from '../execution/node-class.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';

export const imageInvert: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const data = context.unwritten(image.data.length);
    invert(image.data, data);
    return [new Image([image.batch, image.height, image.width, image.channels], data)];
  },
};

export const invertMask: NodeImplementation = {
  run(inputs, context) {
    const mask = inputs.mask('mask');
    const data = context.unwritten(mask.data.length);
    invert(mask.data, data);
    return [new Mask(mask.batch, mask.height, mask.width, data)];
  },
};

function invert(from: Float32Array, to: Float32Array): void {
  for (let i = 0; i < from.length; i += 1) to[i] = 1 - (from[i] as number);
}
