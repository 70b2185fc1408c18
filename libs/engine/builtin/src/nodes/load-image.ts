import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { decodePicture, type DecodedPicture } from '../images/decode-picture.js';
import { toUnit } from '../pixels/quantise.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';

/** Side of the empty mask that stands for "no transparency". */
const EMPTY_MASK_SIDE = 64;
const CHANNELS = ['red', 'green', 'blue', 'alpha'] as const;

export const loadImage: NodeImplementation = {
  async run(inputs, context) {
    const picture = await decodePicture(await context.inputFile(inputs.text('image')), (bytes) =>
      context.reserve(bytes),
    );
    return [colours(picture, context), alphaMask(picture, context)];
  },
};

export const loadImageMask: NodeImplementation = {
  async run(inputs, context) {
    const channel = inputs.choice('channel', CHANNELS);
    const picture = await decodePicture(await context.inputFile(inputs.text('image')), (bytes) =>
      context.reserve(bytes),
    );
    if (channel === 'alpha') return [alphaMask(picture, context)];
    const samples = picture.frames * picture.width * picture.height;
    const plane = channelPlane(picture, CHANNELS.indexOf(channel));
    const data = context.pixels(samples);
    toUnit(plane, data);
    return [new Mask(picture.frames, picture.height, picture.width, data)];
  },
};

function colours(picture: DecodedPicture, context: NodeContext): Image {
  const { frames, width, height, channels, bytes } = picture;
  const data = context.pixels(frames * width * height * 3);
  if (channels === 3) {
    toUnit(bytes, data);
  } else {
    const rgb = new Uint8Array(data.length);
    for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
      rgb[to] = bytes[from] as number;
      rgb[to + 1] = bytes[from + 1] as number;
      rgb[to + 2] = bytes[from + 2] as number;
    }
    toUnit(rgb, data);
  }
  return new Image([frames, height, width, 3], data);
}

/** 1 - alpha; without transparency a black square per frame, whatever the picture's size. */
function alphaMask(picture: DecodedPicture, context: NodeContext): Mask {
  const { frames, width, height } = picture;
  if (!picture.hasMask) {
    const side = EMPTY_MASK_SIDE;
    return new Mask(frames, side, side, context.pixels(frames * side * side));
  }
  const data = context.pixels(frames * width * height);
  toUnit(channelPlane(picture, 3), data);
  for (let i = 0; i < data.length; i += 1) data[i] = 1 - (data[i] as number);
  return new Mask(frames, height, width, data);
}

function channelPlane({ bytes, channels }: DecodedPicture, channel: number): Uint8Array {
  const plane = new Uint8Array(bytes.length / channels);
  for (let i = 0, from = channel; i < plane.length; i += 1, from += channels) plane[i] = bytes[from] as number;
  return plane;
}
