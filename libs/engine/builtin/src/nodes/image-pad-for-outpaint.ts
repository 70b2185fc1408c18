import type { NodeImplementation } from '../execution/node-class.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';

export const imagePadForOutpaint: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const [left, top] = [inputs.int('left'), inputs.int('top')];
    const [right, bottom] = [inputs.int('right'), inputs.int('bottom')];
    const { batch, channels } = image;
    const width = image.width + left + right;
    const height = image.height + top + bottom;
    const data = context.pixels(batch * height * width * channels).fill(0.5);
    const rowLength = image.width * channels;
    for (let row = 0; row < batch * image.height; row += 1) {
      const frame = Math.floor(row / image.height);
      const y = top + (row % image.height);
      data.set(
        image.data.subarray(row * rowLength, (row + 1) * rowLength),
        ((frame * height + y) * width + left) * channels,
      );
    }
    const mask = context.pixels(height * width).fill(1);
    const inner = featheredInside(image, { left, top, right, bottom }, inputs.int('feathering'));
    for (let y = 0; y < image.height; y += 1) {
      mask.set(inner.subarray(y * image.width, (y + 1) * image.width), (top + y) * width + left);
    }
    return [new Image([batch, height, width, channels], data), new Mask(1, height, width, mask)];
  },
};

/** 0, or within `feathering` of a padded side the square of what is missing to it. */
function featheredInside(
  { width, height }: Image,
  pad: { left: number; top: number; right: number; bottom: number },
  feathering: number,
): Float32Array {
  const inner = new Float32Array(width * height);
  if (feathering <= 0 || feathering * 2 >= height || feathering * 2 >= width) return inner;
  for (let y = 0; y < height; y += 1) {
    const vertical = Math.min(pad.top === 0 ? height : y, pad.bottom === 0 ? height : height - y);
    for (let x = 0; x < width; x += 1) {
      const horizontal = Math.min(pad.left === 0 ? width : x, pad.right === 0 ? width : width - x);
      const distance = Math.min(vertical, horizontal);
      if (distance >= feathering) continue;
      const missing = (feathering - distance) / feathering;
      inner[y * width + x] = missing * missing;
    }
  }
  return inner;
}
