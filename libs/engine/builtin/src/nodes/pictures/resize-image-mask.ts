import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { pythonRound } from '../../pixels/python-round.js';
import { cutOut, UPSCALE_METHODS, upscale, type Crop, type UpscaleMethod } from '../../pixels/resample.js';
import { Image } from '../../values/image.js';
import type { Inputs } from '../../values/inputs.js';
import { Mask } from '../../values/mask.js';

const CROPS = ['disabled', 'center'] as const;
const MEGAPIXEL = 1024 * 1024;

interface Size {
  readonly width: number;
  readonly height: number;
  readonly crop?: Crop;
}

/** A picture or mask in another size; `resize_type` says what the size follows from. */
export const resizeImageMask: NodeImplementation = {
  async run(inputs, context) {
    const given = inputs.any('input');
    if (!(given instanceof Image) && !(given instanceof Mask))
      throw new NodeError('TypeError', 'input is not a picture');
    const image = given instanceof Image ? given : new Image([given.batch, given.height, given.width, 1], given.data);
    const method = inputs.choice('scale_method', UPSCALE_METHODS);
    const type = inputs.text('resize_type');
    const resized =
      type === 'scale to multiple'
        ? await covering(image, inputs.int('resize_type.multiple'), method, context)
        : await exactly(image, sizeOf(type, image, inputs), method, context);
    if (resized === image) return [given];
    if (given instanceof Image) return [resized];
    return [new Mask(resized.batch, resized.height, resized.width, resized.data)];
  },
};

function exactly(image: Image, size: Size | null, method: UpscaleMethod, context: NodeContext): Promise<Image> {
  if (size === null) return Promise.resolve(image);
  return upscale(image, size.width, size.height, method, size.crop ?? 'disabled', context);
}

/** `null` leaves the picture as it is. */
function sizeOf(type: string, { width, height }: Image, inputs: Inputs): Size | null {
  const int = (name: string): number => inputs.int(`resize_type.${name}`);
  if (type === 'scale dimensions') {
    return filled(width, height, {
      width: int('width'),
      height: int('height'),
      crop: inputs.choice('resize_type.crop', CROPS),
    });
  }
  if (type === 'scale width') return filled(width, height, { width: int('width'), height: 0 });
  if (type === 'scale height') return filled(width, height, { width: 0, height: int('height') });
  if (type === 'match size') return matched(inputs);
  if (type === 'scale longer dimension') return edge(width, height, int('longer_size'), height > width);
  if (type === 'scale shorter dimension') return edge(width, height, int('shorter_size'), height < width);
  let factor: number;
  if (type === 'scale by multiplier') factor = inputs.float('resize_type.multiplier');
  else if (type === 'scale total pixels') {
    factor = Math.sqrt(Math.trunc(inputs.float('resize_type.megapixels') * MEGAPIXEL) / (width * height));
  } else throw new NodeError('ValueError', `Unsupported resize type: ${type}`);
  return { width: pythonRound(width * factor), height: pythonRound(height * factor) };
}

function filled(oldWidth: number, oldHeight: number, size: Size): Size | null {
  const { width, height } = size;
  if (width === 0 && height === 0) return null;
  if (width === 0) return { ...size, width: Math.max(1, pythonRound((oldWidth * height) / oldHeight)) };
  if (height === 0) return { ...size, height: Math.max(1, pythonRound((oldHeight * width) / oldWidth)) };
  return size;
}

/** One edge takes the length, the other follows: the height when `high`. */
function edge(width: number, height: number, length: number, high: boolean): Size {
  if (width === height) return { width: length, height: length };
  if (high) return { width: pythonRound((width / height) * length), height: length };
  return { width: length, height: pythonRound((height / width) * length) };
}

function matched(inputs: Inputs): Size {
  const match = inputs.any('resize_type.match');
  if (!(match instanceof Image) && !(match instanceof Mask)) throw new NodeError('TypeError', 'match is not a picture');
  return { width: match.width, height: match.height, crop: inputs.choice('resize_type.crop', CROPS) };
}

/** Sides divisible by `multiple`: scaled until both are covered, then cut around the centre. */
async function covering(image: Image, multiple: number, method: UpscaleMethod, context: NodeContext): Promise<Image> {
  const { width, height } = image;
  const [newWidth, newHeight] = [Math.floor(width / multiple) * multiple, Math.floor(height / multiple) * multiple];
  if (multiple <= 1 || newWidth === 0 || newHeight === 0 || (newWidth === width && newHeight === height)) return image;
  const [across, down] = [newWidth / width, newHeight / height];
  const scaledWidth = across >= down ? newWidth : Math.max(Math.ceil(width * down), newWidth);
  const scaledHeight = across >= down ? Math.max(Math.ceil(height * across), newHeight) : newHeight;
  const scaled = await upscale(image, scaledWidth, scaledHeight, method, 'disabled', context);
  const [x, y] = [Math.floor((scaledWidth - newWidth) / 2), Math.floor((scaledHeight - newHeight) / 2)];
  return cutOut(scaled, x, y, newWidth, newHeight, context);
}
