import type { NodeImplementation } from '../../execution/node-class.js';
import { writePreviews } from '../save-image.js';

const SIDES = ['a', 'b'] as const;

/** Previews of two pictures, each under a key of its own, for clients that lay one over the other. */
export const imageCompare: NodeImplementation = {
  async run(inputs, context) {
    for (const side of SIDES) {
      const images = inputs.optionalImage(`image_${side}`);
      if (images === null || images.batch === 0) context.showNothing(`${side}_images`);
      else await writePreviews(images, context, { base: `comfy.compare.${side}`, slot: `${side}_images`, bare: true });
    }
    return [];
  },
};
