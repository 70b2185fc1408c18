import type { NodeImplementation } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { quantise, toUnit } from '../pixels/quantise.js';
import { addBayerPattern } from '../quantize/bayer.js';
import { mapDiffused, mapPlain, NearestColour } from '../quantize/map-colours.js';
import { medianCut } from '../quantize/median-cut.js';
import { Image } from '../values/image.js';

const DITHERS = ['none', 'floyd-steinberg', 'bayer-2', 'bayer-4', 'bayer-8', 'bayer-16'] as const;

export const imageQuantize: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const colours = inputs.int('colors');
    const dither = inputs.choice('dither', DITHERS);
    const { batch, height, width, channels } = image;
    if (channels !== 3) throw new NodeError('ValueError', 'not enough image data');
    const data = context.pixels(image.data.length);
    const bytes = new Uint8Array(image.stride);
    for (let frame = 0; frame < batch; frame += 1) {
      quantise(image.frame(frame), bytes);
      const palette = medianCut(bytes, colours);
      const nearest = new NearestColour(palette);
      if (dither === 'floyd-steinberg') {
        mapDiffused(bytes, width, nearest);
      } else {
        if (dither !== 'none') addBayerPattern(bytes, width, Number(dither.slice('bayer-'.length)), palette.length / 3);
        mapPlain(bytes, nearest);
      }
      toUnit(bytes, data.subarray(frame * image.stride, (frame + 1) * image.stride));
      await context.checkpoint(frame + 1, batch);
    }
    return [new Image([batch, height, width, 3], data)];
  },
};
