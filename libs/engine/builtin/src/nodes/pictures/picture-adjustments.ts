import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { pythonRound } from '../../pixels/python-round.js';
import { quantise, toUnit } from '../../pixels/quantise.js';
import { cutOut, upscale } from '../../pixels/resample.js';
import { legacyInteger, legacyTwister } from '../../random/legacy-permutation.js';
import { Image } from '../../values/image.js';
import type { Inputs } from '../../values/inputs.js';
import type { Value } from '../../values/value.js';
import { joinBatches, pictureOf } from '../image-batch.js';
import { writePreviews } from '../save-image.js';

const { fround, floor, max, min, trunc } = Math;
/** Sizes that the Flux Kontext family was trained on. */
const KONTEXT_WIDTHS = [672, 688, 720, 752, 800, 832, 880, 944, 1024, 1104, 1184, 1248, 1328, 1392, 1456, 1504, 1568];

function adjusting(adjust: (value: number, factor: number) => number): NodeImplementation {
  return {
    run(inputs, context) {
      const image = inputs.image('images');
      const factor = fround(inputs.float('factor'));
      const data = context.pixels(image.data.length);
      for (let i = 0; i < data.length; i += 1) {
        const value = adjust(image.data[i] as number, factor);
        data[i] = value < 0 ? 0 : value > 1 ? 1 : value;
      }
      return [new Image([image.batch, image.height, image.width, image.channels], data)];
    },
  };
}

export const adjustBrightness = adjusting((value, factor) => value * factor);
export const adjustContrast = adjusting((value, factor) => fround(fround(value - 0.5) * factor) + 0.5);

export const normalizeImages: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('images');
    const [mean, deviation] = [fround(inputs.float('mean')), fround(inputs.float('std'))];
    const data = context.pixels(image.data.length);
    for (let i = 0; i < data.length; i += 1) data[i] = fround((image.data[i] as number) - mean) / deviation;
    return [new Image([image.batch, image.height, image.width, image.channels], data)];
  },
};

/** A class that handles each picture of a batch as bytes, by itself. */
function perPicture(
  change: (picture: Image, inputs: Inputs, context: NodeContext) => Promise<Image> | Image,
): NodeImplementation {
  return {
    async run(inputs, context) {
      const image = inputs.image('images');
      const parts: Image[] = [];
      for (let i = 0; i < image.batch; i += 1) {
        parts.push(await change(asBytes(pictureOf(image, i, context)), inputs, context));
        await context.checkpoint(i + 1, image.batch);
      }
      return [joinBatches(parts, context)];
    },
  };
}

/** Cut to whole bytes, as a picture that went through a file. */
function asBytes(image: Image): Image {
  const bytes = new Uint8Array(image.data.length);
  quantise(image.data, bytes);
  const data = new Float32Array(bytes.length);
  toUnit(bytes, data);
  return new Image([image.batch, image.height, image.width, image.channels], data);
}

export const resizeByShorterEdge = perPicture((picture, inputs, context) => {
  const edge = inputs.int('shorter_edge');
  const { width, height } = picture;
  const size = width < height ? [edge, trunc(height * (edge / width))] : [trunc(width * (edge / height)), edge];
  return upscale(picture, size[0] ?? edge, size[1] ?? edge, 'lanczos', 'disabled', context);
});

export const resizeByLongerEdge = perPicture((picture, inputs, context) => {
  const edge = inputs.int('longer_edge');
  const { width, height } = picture;
  const size = width > height ? [edge, trunc(height * (edge / width))] : [trunc(width * (edge / height)), edge];
  return upscale(picture, size[0] ?? edge, size[1] ?? edge, 'lanczos', 'disabled', context);
});

export const centerCropImages = perPicture((picture, inputs, context) => {
  const [width, height] = [inputs.int('width'), inputs.int('height')];
  const left = max(0, floor((picture.width - width) / 2));
  const top = max(0, floor((picture.height - height) / 2));
  return cropped(picture, left, top, width, height, context);
});

export const randomCropImages = perPicture((picture, inputs, context) => {
  const [width, height] = [inputs.int('width'), inputs.int('height')];
  const twister = legacyTwister(inputs.bigInt('seed'));
  const room = [max(0, picture.width - width), max(0, picture.height - height)];
  const [left = 0, top = 0] = room.map((most) => (most > 0 ? legacyInteger(twister, most + 1) : 0));
  return cropped(picture, left, top, width, height, context);
});

function cropped(
  picture: Image,
  left: number,
  top: number,
  width: number,
  height: number,
  context: NodeContext,
): Image {
  return cutOut(picture, left, top, min(width, picture.width - left), min(height, picture.height - top), context);
}

export const fluxKontextImageScale: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const aspect = image.width / image.height;
    const heights = [...KONTEXT_WIDTHS].reverse();
    let [best, width, height] = [Infinity, 0, 0];
    KONTEXT_WIDTHS.forEach((w, i) => {
      const h = heights[i] ?? w;
      const difference = Math.abs(aspect - w / h);
      if (difference < best) [best, width, height] = [difference, w, h];
    });
    return [await upscale(image, width, height, 'lanczos', 'center', context)];
  },
};

export const imageCropV2: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const region = inputs.dict('crop_region');
    const part = (name: string, fallback: number): number => Number(region.get(name) ?? fallback);
    const x = min(part('x', 0), image.width - 1);
    const y = min(part('y', 0), image.height - 1);
    const piece = cropped(image, x, y, part('width', 512), part('height', 512), context);
    await writePreviews(piece, context);
    context.show('animated', false);
    return [piece];
  },
};

export const imageHistogram: NodeImplementation = {
  run(inputs) {
    const image = inputs.image('image');
    const counts = Array.from({ length: 4 }, () => new Float64Array(256));
    const byte = (value: number): number => trunc(min(max(fround(value * 255), 0), 255));
    const [r, g, b, l] = counts as [Float64Array, Float64Array, Float64Array, Float64Array];
    for (let i = 0; i < image.stride; i += image.channels) {
      const [red, green, blue] = [image.data[i] as number, image.data[i + 1] as number, image.data[i + 2] as number];
      const luma = fround(
        fround(fround(fround(0.2126) * red) + fround(fround(0.7152) * green)) + fround(fround(0.0722) * blue),
      );
      [red, green, blue, luma].forEach((value, c) => {
        const at = byte(value);
        (counts[c] as Float64Array)[at] = ((counts[c] as Float64Array)[at] as number) + 1;
      });
    }
    const all = r.map((count, i) => floor((count + (g[i] as number) + (b[i] as number)) / 3));
    return [all, l, r, g, b].map((histogram): Value => Array.from(histogram, (count) => BigInt(pythonRound(count))));
  },
};
