import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { upscale } from '../pixels/resample.js';
import { Image } from '../values/image.js';
import { padAlpha } from './image-batch.js';
import { repeatTo } from '../pixels/repeat-batch.js';

const DIRECTIONS = ['right', 'down', 'left', 'up'] as const;
const COLOURS = {
  white: [1, 1, 1],
  black: [0, 0, 0],
  red: [1, 0, 0],
  green: [0, 1, 0],
  blue: [0, 0, 1],
} as const;
const COLOUR_NAMES = ['white', 'black', 'red', 'green', 'blue'] as const;

export const imageStitch: NodeImplementation = {
  async run(inputs, context) {
    const first = inputs.image('image1');
    const second = inputs.optionalImage('image2');
    if (second === null) return [first];
    const direction = inputs.choice('direction', DIRECTIONS, 'right');
    const sideways = direction === 'right' || direction === 'left';
    const spacing = inputs.int('spacing_width', 0);
    const colour = COLOURS[inputs.choice('spacing_color', COLOUR_NAMES, 'white')];
    let [one, two] = repeatTo(first, second, context);
    if (inputs.flag('match_image_size', true)) {
      const size = sideways
        ? { width: Math.trunc(one.height * (two.width / two.height)), height: one.height }
        : { width: one.width, height: Math.trunc(one.width / (two.width / two.height)) };
      two = await upscale(two, size.width, size.height, 'lanczos', 'disabled', context);
    } else {
      [one, two] = padAcross(one, two, sideways, colour === COLOURS.white ? 1 : 0, context);
    }
    [one, two] = padAlpha(one, two, context);
    const before = direction === 'left' || direction === 'up' ? [two, one] : [one, two];
    const parts =
      spacing > 0 ? [before[0], spacer(one, spacing + (spacing % 2), sideways, colour, context), before[1]] : before;
    return [
      concatenate(
        parts.filter((part) => part !== undefined),
        sideways,
        context,
      ),
    ];
  },
};

/** Equal extent across the direction of stitching: the smaller picture is centred on `around`. */
function padAcross(one: Image, two: Image, sideways: boolean, around: number, context: NodeContext): [Image, Image] {
  if (sideways) {
    const height = Math.max(one.height, two.height);
    return [centred(one, one.width, height, around, context), centred(two, two.width, height, around, context)];
  }
  const width = Math.max(one.width, two.width);
  return [centred(one, width, one.height, around, context), centred(two, width, two.height, around, context)];
}

function centred(image: Image, width: number, height: number, around: number, context: NodeContext): Image {
  if (image.width === width && image.height === height) return image;
  const { batch, channels } = image;
  const data = context.pixels(batch * width * height * channels);
  if (around !== 0) data.fill(around);
  const left = Math.floor((width - image.width) / 2);
  const top = Math.floor((height - image.height) / 2);
  const rowLength = image.width * channels;
  for (let row = 0; row < batch * image.height; row += 1) {
    const frame = Math.floor(row / image.height);
    const y = top + (row % image.height);
    data.set(
      image.data.subarray(row * rowLength, (row + 1) * rowLength),
      ((frame * height + y) * width + left) * channels,
    );
  }
  return new Image([batch, height, width, channels], data);
}

function spacer(
  like: Image,
  thickness: number,
  sideways: boolean,
  colour: readonly number[],
  context: NodeContext,
): Image {
  const width = sideways ? thickness : like.width;
  const height = sideways ? like.height : thickness;
  const data = context.pixels(like.batch * width * height * like.channels);
  for (let i = 0; i < data.length; i += 1) data[i] = colour[i % like.channels] ?? 1;
  return new Image([like.batch, height, width, like.channels], data);
}

function concatenate(parts: readonly Image[], sideways: boolean, context: NodeContext): Image {
  const [first] = parts;
  if (first === undefined) throw new RangeError('nothing to stitch');
  const { batch, channels } = first;
  const width = sideways ? parts.reduce((sum, part) => sum + part.width, 0) : first.width;
  const height = sideways ? first.height : parts.reduce((sum, part) => sum + part.height, 0);
  const data = context.pixels(batch * width * height * channels);
  for (let frame = 0; frame < batch; frame += 1) {
    let [x, y] = [0, 0];
    for (const part of parts) {
      const rowLength = part.width * channels;
      for (let row = 0; row < part.height; row += 1) {
        const from = frame * part.stride + row * rowLength;
        data.set(part.data.subarray(from, from + rowLength), ((frame * height + y + row) * width + x) * channels);
      }
      if (sideways) x += part.width;
      else y += part.height;
    }
  }
  return new Image([batch, height, width, channels], data);
}
