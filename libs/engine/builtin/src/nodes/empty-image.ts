import type { NodeClass } from '../execution/node-class.js';
import { Image } from '../values/image.js';

export const emptyImage: NodeClass = {
  run(inputs, context) {
    const [width, height, batch] = [inputs.int('width'), inputs.int('height'), inputs.int('batch_size', 1)];
    const colour = inputs.int('color', 0);
    const data = context.pixels(batch * height * width * 3);
    const rgb = [(colour >> 16) & 0xff, (colour >> 8) & 0xff, colour & 0xff].map((byte) => byte / 255);
    const [red = 0, green = 0, blue = 0] = rgb;
    if (colour !== 0) {
      for (let i = 0; i < data.length; i += 3) {
        data[i] = red;
        data[i + 1] = green;
        data[i + 2] = blue;
      }
    }
    return [new Image(batch, height, width, 3, data)];
  },
};
