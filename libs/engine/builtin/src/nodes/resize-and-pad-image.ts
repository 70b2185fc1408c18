import type { NodeImplementation } from '../execution/node-class.js';
import { UPSCALE_METHODS, upscale } from '../pixels/resample.js';
import { Image } from '../values/image.js';

const COLOURS = ['white', 'black'] as const;

export const resizeAndPadImage: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const [width, height] = [inputs.int('target_width'), inputs.int('target_height')];
    const method = inputs.choice('interpolation', UPSCALE_METHODS);
    const fill = inputs.choice('padding_color', COLOURS) === 'white' ? 1 : 0;
    const factor = Math.min(width / image.width, height / image.height);
    const [innerWidth, innerHeight] = [Math.trunc(image.width * factor), Math.trunc(image.height * factor)];
    const inner = await upscale(image, innerWidth, innerHeight, method, 'disabled', context);
    const { batch, channels } = image;
    const data = context.pixels(batch * height * width * channels).fill(fill);
    const left = Math.floor((width - innerWidth) / 2);
    const top = Math.floor((height - innerHeight) / 2);
    const rowLength = innerWidth * channels;
    for (let row = 0; row < batch * innerHeight; row += 1) {
      const frame = Math.floor(row / innerHeight);
      const y = top + (row % innerHeight);
      data.set(
        inner.data.subarray(row * rowLength, (row + 1) * rowLength),
        ((frame * height + y) * width + left) * channels,
      );
    }
    return [new Image([batch, height, width, channels], data)];
  },
};
