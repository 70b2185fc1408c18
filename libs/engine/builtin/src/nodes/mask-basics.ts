import type { NodeImplementation } from '../execution/node-class.js';
import { Mask } from '../values/mask.js';

export const solidMask: NodeImplementation = {
  run(inputs, context) {
    const [width, height] = [inputs.int('width'), inputs.int('height')];
    return [new Mask(1, height, width, context.pixels(width * height).fill(inputs.float('value')))];
  },
};

export const thresholdMask: NodeImplementation = {
  run(inputs, context) {
    const mask = inputs.mask('mask');
    // Compared in float32, as the samples are.
    const limit = Math.fround(inputs.float('value'));
    const data = context.pixels(mask.data.length);
    for (let i = 0; i < data.length; i += 1) data[i] = (mask.data[i] as number) > limit ? 1 : 0;
    return [new Mask(mask.batch, mask.height, mask.width, data)];
  },
};

export const cropMask: NodeImplementation = {
  run(inputs, context) {
    const mask = inputs.mask('mask');
    const [x, y] = [Math.min(inputs.int('x'), mask.width), Math.min(inputs.int('y'), mask.height)];
    const width = Math.min(inputs.int('width'), mask.width - x);
    const height = Math.min(inputs.int('height'), mask.height - y);
    const data = context.pixels(mask.batch * width * height);
    for (let row = 0; row < mask.batch * height; row += 1) {
      const frame = Math.floor(row / height);
      const start = frame * mask.stride + (y + (row % height)) * mask.width + x;
      data.set(mask.data.subarray(start, start + width), row * width);
    }
    return [new Mask(mask.batch, height, width, data)];
  },
};

/** The sides fade out: column i of `left` is multiplied by (i + 1) / left, the other sides alike. */
export const featherMask: NodeImplementation = {
  run(inputs, context) {
    const mask = inputs.mask('mask');
    const { width, height } = mask;
    const data = context.pixels(mask.data.length);
    data.set(mask.data);
    const fade = (steps: number, size: number, lines: (index: number) => Iterable<number>): void => {
      const count = Math.min(steps, size);
      for (let i = 0; i < count; i += 1) {
        const rate = Math.fround((i + 1) / count);
        for (const at of lines(i)) data[at] = (data[at] as number) * rate;
      }
    };
    const column = function* (x: number): Iterable<number> {
      for (let at = x; at < data.length; at += width) yield at;
    };
    const row = function* (y: number): Iterable<number> {
      for (let start = y * width; start < data.length; start += mask.stride) {
        for (let x = 0; x < width; x += 1) yield start + x;
      }
    };
    fade(inputs.int('left'), width, (i) => column(i));
    fade(inputs.int('right'), width, (i) => column(width - 1 - i));
    fade(inputs.int('top'), height, (i) => row(i));
    fade(inputs.int('bottom'), height, (i) => row(height - 1 - i));
    return [new Mask(mask.batch, height, width, data)];
  },
};
