import type { NodeContext } from '../execution/node-class.js';
import { upscale, type Crop, type UpscaleMethod } from '../pixels/resample.js';
import { Image } from '../values/image.js';
import { sampleCount, Tensor } from '../values/tensor.js';
import { slerpPlanes } from './slerp-planes.js';

export const LATENT_METHODS = ['nearest-exact', 'bilinear', 'area', 'bicubic', 'bislerp'] as const;

/** The last two dimensions brought to another size, each plane as a picture of one channel. */
export async function resizePlanes(
  tensor: Tensor,
  width: number,
  height: number,
  method: UpscaleMethod | 'bislerp',
  crop: Crop,
  context: NodeContext,
): Promise<Tensor> {
  const planes = sampleCount(tensor.shape.slice(0, -2));
  const image = new Image([planes, tensor.size(-2), tensor.size(-1), 1], tensor.data);
  const shape = [...tensor.shape.slice(0, -2), height, width];
  if (method === 'bislerp') return slerpPlanes(tensor, width, height, crop, context);
  return new Tensor(shape, (await upscale(image, width, height, method, crop, context)).data);
}
