import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { Image } from '../values/image.js';

const FLIPS = ['x-axis: vertically', 'y-axis: horizontally'] as const;
const TURNS = ['none', '90 degrees', '180 degrees', '270 degrees'] as const;

export const imageFlip: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const { width, height } = image;
    // The first source pixel of a row, and the steps to the next pixel and to the next row.
    const vertical = inputs.choice('flip_method', FLIPS) === FLIPS[0];
    const way = vertical
      ? { start: (height - 1) * width, across: 1, down: -width }
      : { start: width - 1, across: -1, down: width };
    return [rearrange(image, width, height, way, context)];
  },
};

/** Clockwise. */
export const imageRotate: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const { width, height } = image;
    const turn = inputs.choice('rotation', TURNS);
    if (turn === 'none') return [image];
    if (turn === '180 degrees') {
      return [rearrange(image, width, height, { start: height * width - 1, across: -1, down: -width }, context)];
    }
    const way =
      turn === '90 degrees'
        ? { start: (height - 1) * width, across: -width, down: 1 }
        : { start: width - 1, across: width, down: -1 };
    return [rearrange(image, height, width, way, context)];
  },
};

interface Way {
  /** Number of the source pixel that comes first. */
  readonly start: number;
  /** From one source pixel to the next of a new row, and from the first of a row to that of the next. */
  readonly across: number;
  readonly down: number;
}

/** Side of the squares that are done one after the other: a turned picture would else be read across all its memory. */
const BLOCK = 32;

/** A picture of `width` x `height` whose pixels are read from the source along the given way. */
function rearrange(image: Image, width: number, height: number, way: Way, context: NodeContext): Image {
  const { batch, channels } = image;
  const data = context.pixels(image.data.length);
  for (let frame = 0; frame < batch; frame += 1) {
    const from = image.frame(frame);
    const to = data.subarray(frame * image.stride, (frame + 1) * image.stride);
    for (let top = 0; top < height; top += BLOCK) {
      for (let left = 0; left < width; left += BLOCK) {
        const right = Math.min(left + BLOCK, width);
        for (let y = top; y < Math.min(top + BLOCK, height); y += 1)
          copyRun(from, to, { y, left, right, width, channels }, way);
      }
    }
  }
  return new Image([batch, height, width, channels], data);
}

function copyRun(
  from: Float32Array,
  to: Float32Array,
  run: { y: number; left: number; right: number; width: number; channels: number },
  way: Way,
): void {
  const { y, left, right, width, channels } = run;
  const step = way.across * channels;
  let source = (way.start + y * way.down + left * way.across) * channels;
  const end = (y * width + right) * channels;
  if (channels === 3) {
    // The usual case by itself, without a loop for three samples.
    for (let target = (y * width + left) * 3; target < end; target += 3, source += step) {
      to[target] = from[source] as number;
      to[target + 1] = from[source + 1] as number;
      to[target + 2] = from[source + 2] as number;
    }
    return;
  }
  for (let target = (y * width + left) * channels; target < end; target += channels, source += step) {
    for (let c = 0; c < channels; c += 1) to[target + c] = from[source + c] as number;
  }
}
