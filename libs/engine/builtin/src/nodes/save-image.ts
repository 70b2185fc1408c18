import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { encodePng } from '../images/encode-png.js';
import { resultName } from '../images/result-name.js';
import { quantise } from '../pixels/quantise.js';
import type { Image } from '../values/image.js';

/** How the files of one save are named and written. */
interface Saving {
  readonly prefix: string;
  readonly folder: 'output' | 'temp';
  /** Compression level of the PNG. */
  readonly level: number;
  /** Key under which they are shown, `images` by default. */
  readonly slot?: string;
  /** Without text chunks. */
  readonly bare?: boolean;
}

export const saveImage: NodeImplementation = {
  async run(inputs, context) {
    const images = inputs.image('images');
    const prefix = inputs.text('filename_prefix', 'ComfyUI');
    await writeAll(images, { prefix, folder: 'output', level: 4 }, context);
    return [images];
  },
};

export const previewImage: NodeImplementation = {
  async run(inputs, context) {
    const images = inputs.image('images');
    await writePreviews(images, context);
    return [images];
  },
};

/** Each picture of the batch as a quickly compressed PNG in the folder of previews. */
export function writePreviews(
  images: Image,
  context: NodeContext,
  { base, slot, bare }: { base: string; slot: string; bare?: boolean } = { base: 'ComfyUI', slot: 'images' },
): Promise<void> {
  const prefix = `${base}_temp_${context.previewTag}`;
  return writeAll(images, { prefix, folder: 'temp', level: 1, slot, bare: bare === true }, context);
}

async function writeAll(images: Image, saving: Saving, context: NodeContext): Promise<void> {
  const { width, height, channels } = images;
  if (channels !== 1 && channels !== 3 && channels !== 4) {
    throw new NodeError('TypeError', `Cannot handle this data type: (1, 1, ${channels}), |u1`);
  }
  const { subfolder, base } = resultName(saving.prefix, width, height, new Date());
  const counted = context.counter(saving.folder, subfolder, base, images.batch);
  const bytes = new Uint8Array(images.stride);
  for (let index = 0; index < images.batch; index += 1) {
    quantise(images.frame(index), bytes);
    // The number is on its way while the picture is encoded.
    const [first, encoded] = await Promise.all([
      counted,
      encodePng(bytes, { width, height, channels, level: saving.level }),
    ]);
    const number = String(first + index).padStart(5, '0');
    const name = `${base.replaceAll('%batch_num%', String(index))}_${number}_.png`;
    const parts = saving.bare === true ? encoded.filter((part) => part !== null) : encoded;
    await context.save({ name, subfolder, folder: saving.folder, contentType: 'image/png', parts }, saving.slot);
    await context.checkpoint(index + 1, images.batch);
  }
}
