import type { NodeClass, NodeContext } from '../execution/node-class.js';
import { Image } from '../values/image.js';

const FLIPS = ['x-axis: vertically', 'y-axis: horizontally'] as const;
const TURNS = ['none', '90 degrees', '180 degrees', '270 degrees'] as const;

export const imageFlip: NodeClass = {
  run(inputs, context) {
    const image = inputs.image('image');
    const { width, height } = image;
    const vertical = inputs.choice('flip_method', FLIPS) === FLIPS[0];
    return [
      rearrange(image, width, height, context, (x, y) =>
        vertical ? (height - 1 - y) * width + x : y * width + (width - 1 - x),
      ),
    ];
  },
};

/** Clockwise. */
export const imageRotate: NodeClass = {
  run(inputs, context) {
    const image = inputs.image('image');
    const { width, height } = image;
    const turn = inputs.choice('rotation', TURNS);
    if (turn === 'none') return [image];
    if (turn === '180 degrees') {
      return [rearrange(image, width, height, context, (x, y) => (height - 1 - y) * width + (width - 1 - x))];
    }
    const right = turn === '90 degrees';
    return [
      rearrange(image, height, width, context, (x, y) =>
        right ? (height - 1 - x) * width + y : x * width + (width - 1 - y),
      ),
    ];
  },
};

/** A picture of `width` x `height` whose pixel (x, y) is the source's pixel of that number. */
function rearrange(
  image: Image,
  width: number,
  height: number,
  context: NodeContext,
  sourceOf: (x: number, y: number) => number,
): Image {
  const { batch, channels } = image;
  const data = context.pixels(image.data.length);
  for (let frame = 0; frame < batch; frame += 1) {
    const from = image.frame(frame);
    let target = frame * image.stride;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const source = sourceOf(x, y) * channels;
        for (let c = 0; c < channels; c += 1) data[target++] = from[source + c] as number;
      }
    }
  }
  return new Image(batch, height, width, channels, data);
}
