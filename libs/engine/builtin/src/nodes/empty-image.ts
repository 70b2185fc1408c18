import type { NodeImplementation } from '../execution/node-class.js';
import { splitRows } from '../threads/split-rows.js';
import { Image } from '../values/image.js';

export const emptyImage: NodeImplementation = {
  async run(inputs, context) {
    const [width, height, batch] = [inputs.int('width'), inputs.int('height'), inputs.int('batch_size', 1)];
    const colour = inputs.int('color', 0);
    const samples = batch * height * width * 3;
    const data = colour === 0 ? context.pixels(samples) : context.unwritten(samples);
    if (colour !== 0) {
      const work = { from: rowOf(colour, width), to: data, firstRow: 0, endRow: batch * height };
      await splitRows({ kind: 'repeat', work }, () => context.checkpoint());
    }
    return [new Image([batch, height, width, 3], data)];
  },
};

function rowOf(colour: number, width: number): Float32Array {
  const rgb = [(colour >> 16) & 0xff, (colour >> 8) & 0xff, colour & 0xff].map((byte) => byte / 255);
  return Float32Array.from({ length: width * 3 }, (_, i) => rgb[i % 3]!);
}
