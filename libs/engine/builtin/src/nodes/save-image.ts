import type { NodeClass, NodeContext } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { encodePng } from '../images/encode-png.js';
import { resultName } from '../images/result-name.js';
import { quantise } from '../pixels/quantise.js';
import type { Image } from '../values/image.js';

export const saveImage: NodeClass = {
  async run(inputs, context) {
    const images = inputs.image('images');
    await writeAll(images, inputs.text('filename_prefix', 'ComfyUI'), 'output', 4, context);
    return [images];
  },
};

export const previewImage: NodeClass = {
  async run(inputs, context) {
    const images = inputs.image('images');
    await writePreviews(images, context);
    return [images];
  },
};

/** Each picture of the batch as a quickly compressed PNG in the folder of previews. */
export function writePreviews(images: Image, context: NodeContext): Promise<void> {
  return writeAll(images, `ComfyUI_temp_${context.previewTag}`, 'temp', 1, context);
}

async function writeAll(
  images: Image,
  prefix: string,
  folder: 'output' | 'temp',
  level: number,
  context: NodeContext,
): Promise<void> {
  const { width, height, channels } = images;
  if (channels !== 1 && channels !== 3 && channels !== 4) {
    throw new NodeError('TypeError', `Cannot handle this data type: (1, 1, ${channels}), |u1`);
  }
  const place = resultName(prefix, width, height, new Date());
  const first = await context.counter(folder, place.subfolder, place.base, images.batch);
  const bytes = new Uint8Array(images.stride);
  for (let index = 0; index < images.batch; index += 1) {
    quantise(images.frame(index), bytes);
    const base = place.base.replaceAll('%batch_num%', String(index));
    const name = `${base}_${String(first + index).padStart(5, '0')}_.png`;
    const parts = await encodePng(bytes, width, height, channels, level);
    await context.save({ name, subfolder: place.subfolder, folder, contentType: 'image/png', parts });
    await context.checkpoint(index + 1, images.batch);
  }
}
