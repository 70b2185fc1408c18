import type { NodeContext } from '../execution/node-class.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';
import { upscale } from './resample.js';

/** A mask of another size, bilinear as the engine resizes masks. */
export async function resizeMask(mask: Mask, width: number, height: number, context: NodeContext): Promise<Mask> {
  if (mask.width === width && mask.height === height) return mask;
  const image = new Image([mask.batch, mask.height, mask.width, 1], mask.data);
  const { data } = await upscale(image, width, height, 'bilinear', 'disabled', context);
  return new Mask(mask.batch, height, width, data);
}
