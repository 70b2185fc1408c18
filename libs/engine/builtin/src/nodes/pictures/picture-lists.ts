import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { resizeMask } from '../../pixels/resize-mask.js';
import { upscale } from '../../pixels/resample.js';
import { legacyPermutation } from '../../random/legacy-permutation.js';
import { Image } from '../../values/image.js';
import type { Inputs } from '../../values/inputs.js';
import { Mask } from '../../values/mask.js';
import type { Value } from '../../values/value.js';
import { joinBatches, padAlpha, pictureOf } from '../image-batch.js';

const MAX_GROUP = 50;

export const batchImages: NodeImplementation = {
  async run(inputs, context) {
    const images = [...inputs.group('images', 'image', MAX_GROUP).values()].map(imageOf);
    const widest = images.reduce((best, image) => (image.channels > best.channels ? image : best), images[0] as Image);
    const padded = images.map((image) => padAlpha(image, widest, context)[0]);
    const [first] = padded;
    if (first === undefined) return [null];
    const fitted: Image[] = [];
    for (const image of padded) {
      const same = image.width === first.width && image.height === first.height;
      fitted.push(same ? image : await upscale(image, first.width, first.height, 'bilinear', 'center', context));
    }
    return [joinBatches(fitted, context)];
  },
};

export const batchMasks: NodeImplementation = {
  async run(inputs, context) {
    const masks = [...inputs.group('masks', 'mask', MAX_GROUP).values()].map(maskOf);
    const [first] = masks;
    if (first === undefined) return [null];
    const parts: Image[] = [];
    for (const mask of masks) parts.push(asImage(await fitMask(mask, first, context)));
    const { batch, data } = joinBatches(parts, context);
    return [new Mask(batch, first.height, first.width, data)];
  },
};

/** Like other masks, but cut around the centre first. */
async function fitMask(mask: Mask, like: Mask, context: NodeContext): Promise<Mask> {
  if (mask.width === like.width && mask.height === like.height) return mask;
  const { batch, data } = await upscale(asImage(mask), like.width, like.height, 'bilinear', 'center', context);
  return resizeMask(new Mask(batch, like.height, like.width, data), like.width, like.height, context);
}

function asImage(mask: Mask): Image {
  return new Image([mask.batch, mask.height, mask.width, 1], mask.data);
}

function imageOf(value: Value): Image {
  if (value instanceof Image) return value;
  throw new NodeError('AttributeError', 'the value is not a picture');
}

function maskOf(value: Value): Mask {
  if (value instanceof Mask) return value;
  throw new NodeError('AttributeError', 'the value is not a mask');
}

/** Every picture of a list by itself. */
function singles(inputs: Inputs, context: NodeContext): readonly Image[] {
  return inputs
    .images('images')
    .flatMap((image) => Array.from({ length: image.batch }, (_, index) => pictureOf(image, index, context)));
}

export const shuffleImages: NodeImplementation = {
  run(inputs, context) {
    const images = singles(inputs, context);
    return [shuffled(images, inputs.firsts.bigInt('seed'))];
  },
};

export const shuffleImageTexts: NodeImplementation = {
  run(inputs) {
    const seed = inputs.firsts.bigInt('seed');
    const [images, texts] = [inputs.list('images'), inputs.list('texts')];
    const order = legacyPermutation(seed, images.length);
    return [order.map((i) => images[i] ?? null), order.map((i) => texts[i] ?? missingText())];
  },
};

function shuffled(values: readonly Value[], seed: bigint): readonly Value[] {
  return legacyPermutation(seed, values.length).map((index) => values[index] ?? null);
}

function missingText(): never {
  throw new NodeError('IndexError', 'list index out of range');
}

export const mergeImageLists: NodeImplementation = {
  run: (inputs, context) => [singles(inputs, context)],
};
