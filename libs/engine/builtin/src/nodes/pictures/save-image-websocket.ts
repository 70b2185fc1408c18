import type { NodeImplementation } from '../../execution/node-class.js';
import { encodePng } from '../../images/encode-png.js';
import { quantise } from '../../pixels/quantise.js';

const LEVEL = 1;

/** Sends each picture to the client as it is, without text chunks; no folder holds it. */
export const saveImageWebsocket: NodeImplementation = {
  neverCached: true,
  async run(inputs, context) {
    const images = inputs.image('images');
    const { width, height, channels, batch } = images;
    const bytes = new Uint8Array(images.stride);
    for (let index = 0; index < batch; index += 1) {
      quantise(images.frame(index), bytes);
      const parts = await encodePng(bytes, { width, height, channels, level: LEVEL });
      const png = Buffer.concat(parts.filter((part) => part !== null));
      await context.sendPicture({ contentType: 'image/png', bytes: png, index, count: batch });
      await context.checkpoint();
    }
    return [];
  },
};
