import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { slidingExtreme } from '../../morphology/sliding-extreme.js';
import { resizeMask } from '../../pixels/resize-mask.js';
import { upscale } from '../../pixels/resample.js';
import { Image } from '../../values/image.js';
import type { Mask } from '../../values/mask.js';
import { joinBatches, pictureOf } from '../image-batch.js';
import { cropWindow, type Window } from './crop-window.js';

const { fround } = Math;
/** Fainter samples of a mask count as nothing. */
const FAINTEST = 0.05;

/** How the subject of each picture is cut out. */
interface Cut {
  readonly width: number;
  readonly height: number;
  readonly pad: number;
  readonly grow: number;
  /** Red, green and blue behind the subject. */
  readonly background: readonly number[];
}

/** Each picture cut to its mask's bounds, over one colour where the mask does not cover, in the wanted size. */
export const imageCropToMask: NodeImplementation = {
  async run(inputs, context) {
    const cut: Cut = {
      width: inputs.int('width'),
      height: inputs.int('height'),
      pad: inputs.float('pad_factor'),
      grow: inputs.int('grow_mask'),
      background: colourOf(inputs.text('background')),
    };
    const images = opaque(inputs.image('images'), context);
    const given = inputs.mask('masks');
    if (given.batch !== 1 && given.batch !== images.batch) {
      throw new NodeError('ValueError', `Mask batch ${given.batch} does not match image batch ${images.batch}`);
    }
    const masks = await resizeMask(given, images.width, images.height, context);
    const cuts: Image[] = [];
    for (let index = 0; index < images.batch; index += 1) {
      const mask = asPicture(masks, masks.batch === 1 ? 0 : index);
      cuts.push(await cutOne(pictureOf(images, index, context), mask, cut, context));
    }
    return [joinBatches(cuts, context)];
  },
};

async function cutOne(given: Image, givenMask: Image, cut: Cut, context: NodeContext): Promise<Image> {
  let image = clamped(given, context);
  let mask = uprighted(clamped(givenMask, context));
  if (cut.grow !== 0) mask = await grown(mask, cut.grow, context);
  for (let i = 0; i < mask.data.length; i += 1) if ((mask.data[i] as number) < fround(FAINTEST)) mask.data[i] = 0;
  const [longest, wanted] = [Math.max(image.width, image.height), Math.max(cut.width, cut.height)];
  if (longest > wanted) {
    const scale = wanted / longest;
    const [width, height] = [Math.trunc(image.width * scale), Math.trunc(image.height * scale)];
    image = await upscale(image, width, height, 'lanczos', 'disabled', context);
    mask = await upscale(mask, width, height, 'lanczos', 'disabled', context);
  }
  const window = cropWindow(mask, cut.width / cut.height, cut.pad);
  return upscale(composite(image, mask, window, cut, context), cut.width, cut.height, 'lanczos', 'disabled', context);
}

/** The part of the picture that the window shows, times the mask, over the background. Outside it is background. */
function composite(image: Image, mask: Image, window: Window, cut: Cut, context: NodeContext): Image {
  const { left, top, width, height } = window;
  const data = context.pixels(width * height * 3);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [column, row] = [left + x, top + y];
      const inside = column >= 0 && column < image.width && row >= 0 && row < image.height;
      const at = row * image.width + column;
      const covered = inside ? (mask.data[at] as number) : 0;
      const rest = fround(1 - covered);
      for (let c = 0; c < 3; c += 1, to += 1) {
        const colour = inside ? fround((image.data[at * 3 + c] as number) * covered) : 0;
        const sum = fround(colour + fround((cut.background[c] as number) * rest));
        data[to] = sum < 0 ? 0 : sum > 1 ? 1 : sum;
      }
    }
  }
  return new Image([1, height, width, 3], data);
}

/** A mask that covers the border and not the middle is taken to be upside down. */
function uprighted(mask: Image): Image {
  const { width, height } = mask;
  const quarter = { x: Math.floor(width / 4), y: Math.floor(height / 4) };
  const border = mean([
    rowsOf(mask, 0, 1, 0, width),
    rowsOf(mask, height - 1, height, 0, width),
    rowsOf(mask, 0, height, 0, 1),
    rowsOf(mask, 0, height, width - 1, width),
  ]);
  const centre = mean([rowsOf(mask, quarter.y, height - quarter.y, quarter.x, width - quarter.x)]);
  return border > 0.5 && centre < 0.5 ? turnOver(mask) : mask;
}

function rowsOf(mask: Image, top: number, bottom: number, left: number, right: number): { sum: number; count: number } {
  let sum = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) sum += mask.data[y * mask.width + x] as number;
  }
  return { sum, count: (bottom - top) * (right - left) };
}

function mean(parts: readonly { sum: number; count: number }[]): number {
  return parts.reduce((sum, part) => sum + part.sum, 0) / parts.reduce((count, part) => count + part.count, 0);
}

/** A shrinking mask is one whose opposite grows: in float32 the detour rounds, and so does the engine. */
async function grown(mask: Image, by: number, context: NodeContext): Promise<Image> {
  if (by < 0) turnOver(mask);
  const data = await slidingExtreme(mask, 2 * Math.abs(by) + 1, true, context);
  const result = new Image([1, mask.height, mask.width, 1], data);
  return by < 0 ? turnOver(result) : result;
}

function turnOver(mask: Image): Image {
  const { data } = mask;
  for (let i = 0; i < data.length; i += 1) data[i] = 1 - (data[i] as number);
  return mask;
}

function clamped(image: Image, context: NodeContext): Image {
  const data = context.pixels(image.data.length);
  for (let i = 0; i < data.length; i += 1) data[i] = Math.min(Math.max(image.data[i] as number, 0), 1);
  return new Image([1, image.height, image.width, image.channels], data);
}

function asPicture(masks: Mask, index: number): Image {
  const size = masks.width * masks.height;
  return new Image([1, masks.height, masks.width, 1], masks.data.subarray(index * size, (index + 1) * size));
}

function opaque(image: Image, context: NodeContext): Image {
  if (image.channels === 3) return image;
  const pixels = image.batch * image.height * image.width;
  const data = context.pixels(pixels * 3);
  for (let i = 0; i < pixels; i += 1) {
    for (let c = 0; c < 3; c += 1) data[i * 3 + c] = image.data[i * image.channels + c] as number;
  }
  return new Image([image.batch, image.height, image.width, 3], data);
}

/** `#rrggbb` as 0..1; a text of another length is black. */
function colourOf(text: string): readonly number[] {
  const digits = text.replace(/^#+/, '');
  if (digits.length !== 6) return [0, 0, 0];
  return [0, 2, 4].map((at) => {
    const pair = digits.slice(at, at + 2);
    if (!/^[0-9a-fA-F]{2}$/.test(pair)) {
      throw new NodeError('ValueError', `invalid literal for int() with base 16: '${pair}'`);
    }
    return fround(parseInt(pair, 16) / 255);
  });
}
