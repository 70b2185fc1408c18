import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { upscale } from '../pixels/resample.js';
import { Image } from '../values/image.js';

export const imageBatch: NodeImplementation = {
  async run(inputs, context) {
    const [first, given] = padAlpha(inputs.image('image1'), inputs.image('image2'), context);
    const sameSize = first.width === given.width && first.height === given.height;
    const second = sameSize ? given : await upscale(given, first.width, first.height, 'bilinear', 'center', context);
    return [joinBatches([first, second], context)];
  },
};

export const imageFromBatch: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    let start = inputs.int('batch_index');
    if (start < 0) start = Math.max(0, start + image.batch);
    start = Math.min(start, image.batch - 1);
    const length = Math.min(image.batch - start, inputs.int('length'));
    return [slice(image, start, length, context)];
  },
};

export const repeatImageBatch: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const amount = inputs.int('amount');
    const data = context.pixels(image.data.length * amount);
    for (let i = 0; i < amount; i += 1) data.set(image.data, i * image.data.length);
    return [new Image([image.batch * amount, image.height, image.width, image.channels], data)];
  },
};

export const rebatchImages: NodeImplementation = {
  run(inputs, context) {
    const size = inputs.firstInt('batch_size');
    const groups = inputs.images('images').flatMap((image) =>
      Array.from({ length: Math.ceil(image.batch / size) }, (_, group) => {
        const start = group * size;
        return slice(image, start, Math.min(size, image.batch - start), context);
      }),
    );
    return [groups];
  },
};

export const getImageSize: NodeImplementation = {
  run(inputs, context) {
    const { width, height, batch } = inputs.image('image');
    context.progressText(`width: ${width}, height: ${height}\n batch size: ${batch}`);
    return [BigInt(width), BigInt(height), BigInt(batch)];
  },
};

/** Pictures of equal size and channels one after the other. */
export function joinBatches(images: readonly Image[], context: NodeContext): Image {
  const [first] = images;
  if (first === undefined) throw new RangeError('nothing to join');
  const data = context.pixels(images.reduce((sum, image) => sum + image.data.length, 0));
  let at = 0;
  for (const image of images) {
    data.set(image.data, at);
    at += image.data.length;
  }
  const batch = images.reduce((sum, image) => sum + image.batch, 0);
  return new Image([batch, first.height, first.width, first.channels], data);
}

/** One picture of a batch. */
export function pictureOf(image: Image, index: number, context: NodeContext): Image {
  return slice(image, index, 1, context);
}

/** A source with the channels of what it is laid on: its alpha is left out, or an opaque one added. */
export function withChannelsOf(destination: Image, source: Image, context: NodeContext): Image {
  if (source.channels < destination.channels) return withAlpha(source, destination.channels, context);
  if (source.channels === destination.channels) return source;
  const { channels } = destination;
  const pixels = source.batch * source.height * source.width;
  const data = context.pixels(pixels * channels);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const from = pixel * source.channels;
    for (let c = 0; c < channels; c += 1) data[pixel * channels + c] = source.data[from + c] as number;
  }
  return new Image([source.batch, source.height, source.width, channels], data);
}

/** Where only one of two pictures has alpha, the other gets an opaque one. */
export function padAlpha(first: Image, second: Image, context: NodeContext): readonly [Image, Image] {
  if (first.channels === second.channels) return [first, second];
  return first.channels < second.channels
    ? [withAlpha(first, second.channels, context), second]
    : [first, withAlpha(second, first.channels, context)];
}

function withAlpha(image: Image, channels: number, context: NodeContext): Image {
  const pixels = image.batch * image.height * image.width;
  const data = context.pixels(pixels * channels).fill(1);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    for (let c = 0; c < image.channels; c += 1) {
      data[pixel * channels + c] = image.data[pixel * image.channels + c] as number;
    }
  }
  return new Image([image.batch, image.height, image.width, channels], data);
}

function slice(image: Image, start: number, length: number, context: NodeContext): Image {
  const data = context.pixels(length * image.stride);
  data.set(image.data.subarray(start * image.stride, (start + length) * image.stride));
  return new Image([length, image.height, image.width, image.channels], data);
}
