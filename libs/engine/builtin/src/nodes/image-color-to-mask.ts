import type { NodeImplementation } from '../execution/node-class.js';
import { Mask } from '../values/mask.js';

/** 1 where a pixel, rounded to bytes, is exactly the colour. */
export const imageColorToMask: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const colour = inputs.int('color');
    const { channels } = image;
    const data = context.pixels(image.batch * image.height * image.width);
    for (let i = 0, from = 0; i < data.length; i += 1, from += channels) {
      let packed = 0;
      for (let c = 0; c < 3; c += 1) packed = packed * 256 + roundedByte(image.data[from + c] as number);
      data[i] = packed === colour ? 1 : 0;
    }
    return [new Mask(image.batch, image.height, image.width, data)];
  },
};

function roundedByte(value: number): number {
  const scaled = Math.fround(Math.min(Math.max(value, 0), 1) * 255);
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
