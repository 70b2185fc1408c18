import type { NodeContext } from '../execution/node-class.js';
import { Image } from '../values/image.js';
import { pythonRound } from './python-round.js';
import { splitRows } from '../threads/split-rows.js';

export const UPSCALE_METHODS = ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'] as const;
export type UpscaleMethod = (typeof UPSCALE_METHODS)[number];
export type Crop = 'disabled' | 'center';

/** The engine's `common_upscale`: an optional crop to the new aspect around the centre, then resampling in float32. */
export async function upscale(
  image: Image,
  width: number,
  height: number,
  method: UpscaleMethod,
  crop: Crop,
  context: NodeContext,
): Promise<Image> {
  const source = crop === 'center' ? cropToAspect(image, width, height, context) : image;
  if (width < 1 || height < 1) throw new RangeError(`Input and output sizes should be greater than 0`);
  const to = context.unwritten(image.batch * height * width * image.channels);
  const result = new Image([image.batch, height, width, image.channels], to);
  const rows = image.batch * height;
  for (let frame = 0; frame < image.batch; frame += 1) {
    const work = {
      from: source.frame(frame),
      fromWidth: source.width,
      fromHeight: source.height,
      to: result.frame(frame),
      toWidth: width,
      toHeight: height,
      channels: image.channels,
      cropped: source !== image,
      firstRow: 0,
      endRow: height,
    };
    await splitRows({ kind: 'resample', method, work }, (row) => context.checkpoint(frame * height + row + 1, rows));
  }
  return result;
}

/** The part around the centre that has the aspect of `width` to `height`. */
export function cropToAspect(image: Image, width: number, height: number, context: NodeContext): Image {
  const oldAspect = image.width / image.height;
  const newAspect = width / height;
  let x = 0;
  let y = 0;
  if (oldAspect > newAspect) x = pythonRound((image.width - image.width * (newAspect / oldAspect)) / 2);
  else if (oldAspect < newAspect) y = pythonRound((image.height - image.height * (oldAspect / newAspect)) / 2);
  if (x === 0 && y === 0) return image;
  return cutOut(image, x, y, image.width - 2 * x, image.height - 2 * y, context);
}

/** The part of every picture that starts at (x, y); it must lie inside. */
export function cutOut(image: Image, x: number, y: number, width: number, height: number, context: NodeContext): Image {
  const { batch, channels } = image;
  const data = context.pixels(batch * height * width * channels);
  const rowLength = width * channels;
  for (let frame = 0; frame < batch; frame += 1) {
    const from = image.frame(frame);
    for (let row = 0; row < height; row += 1) {
      const start = ((y + row) * image.width + x) * channels;
      data.set(from.subarray(start, start + rowLength), (frame * height + row) * rowLength);
    }
  }
  return new Image([batch, height, width, channels], data);
}
