import type { NodeImplementation } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { cannyEdges } from '../morphology/canny-edges.js';
import { Image } from '../values/image.js';

const { fround } = Math;
const WEIGHTS = [0.299, 0.587, 0.114].map(fround) as [number, number, number];
/** The blur looks two samples beyond the border. */
const MIN_SIDE = 3;

export const canny: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const [low, high] = [inputs.float('low_threshold'), inputs.float('high_threshold')];
    const { batch, height, width, channels } = image;
    if (low > high) {
      throw new NodeError(
        'Exception',
        `Invalid input thresholds. low_threshold should be smaller than the high_threshold. Got: ${low}>${high}`,
      );
    }
    if (channels !== 3) throw new NodeError('ValueError', 'Input size must have a shape of (*, 3, H, W)');
    if (width < MIN_SIDE || height < MIN_SIDE) {
      throw new NodeError('RuntimeError', 'Padding size should be less than the corresponding input dimension');
    }
    const pixels = height * width;
    context.reserve(pixels * 20);
    const data = context.pixels(batch * pixels * 3);
    const grey = new Float32Array(pixels);
    for (let frame = 0; frame < batch; frame += 1) {
      const from = image.frame(frame);
      for (let i = 0; i < pixels; i += 1) {
        const red = fround(WEIGHTS[0] * (from[i * 3] as number));
        const green = fround(WEIGHTS[1] * (from[i * 3 + 1] as number));
        grey[i] = fround(red + green) + fround(WEIGHTS[2] * (from[i * 3 + 2] as number));
      }
      await context.checkpoint(frame, batch);
      const edges = cannyEdges({ width, height, data: grey }, low, high);
      for (let i = 0; i < pixels; i += 1) {
        if (edges[i] === 1) data.fill(1, (frame * pixels + i) * 3, (frame * pixels + i) * 3 + 3);
      }
    }
    return [new Image([batch, height, width, 3], data)];
  },
};
