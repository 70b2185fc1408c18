import { encodeAnimatedPng, privateText, type AnimationFrames } from '../animated/animated-png.js';
import { encodeAnimatedWebp } from '../animated/animated-webp.js';
import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { resultName } from '../images/result-name.js';
import { quantise } from '../pixels/quantise.js';
import type { Image } from '../values/image.js';
import type { Inputs } from '../values/inputs.js';

const EFFORT = { default: 4, fastest: 0, slowest: 6 } as const;
const METHODS = ['default', 'fastest', 'slowest'] as const;

export const saveAnimatedPng: NodeImplementation = {
  async run(inputs, context) {
    const images = inputs.image('images');
    const parts = encodeAnimatedPng(framesOf(images, inputs, context), inputs.int('compress_level', 4));
    const texts = context.metadata.map(([keyword, text]) => privateText(keyword, text));
    const written = parts.map((part) => part ?? Buffer.concat(texts));
    await write(images, inputs, context, { extension: 'png', contentType: 'image/png', parts: written });
    return [images];
  },
};

export const saveAnimatedWebp: NodeImplementation = {
  async run(inputs, context) {
    const images = inputs.image('images');
    const options = {
      lossless: inputs.flag('lossless', true),
      quality: inputs.int('quality', 80),
      effort: EFFORT[inputs.choice('method', METHODS, 'default')],
    };
    const bytes = await encodeAnimatedWebp(framesOf(images, inputs, context), options, context.metadata);
    await write(images, inputs, context, { extension: 'webp', contentType: 'image/webp', parts: [bytes] });
    return [images];
  },
};

function framesOf(images: Image, inputs: Inputs, context: NodeContext): AnimationFrames {
  context.reserve(images.data.length * 3);
  const frames = Array.from({ length: images.batch }, (_, index) => {
    const bytes = new Uint8Array(images.stride);
    quantise(images.frame(index), bytes);
    return bytes;
  });
  const { width, height, channels } = images;
  return { width, height, channels, frames, duration: Math.trunc(1000 / inputs.float('fps')) };
}

async function write(
  images: Image,
  inputs: Inputs,
  context: NodeContext,
  file: { extension: string; contentType: string; parts: readonly Uint8Array[] },
): Promise<void> {
  const { contentType, parts } = file;
  const place = resultName(inputs.text('filename_prefix', 'ComfyUI'), images.width, images.height, new Date());
  const number = await context.counter('output', place.subfolder, place.base, 1);
  const name = `${place.base}_${String(number).padStart(5, '0')}_.${file.extension}`;
  await context.save({ name, subfolder: place.subfolder, folder: 'output', contentType, parts });
  if (images.batch > 1) context.show('animated', true);
}
