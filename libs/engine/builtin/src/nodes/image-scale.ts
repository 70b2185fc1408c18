import type { NodeImplementation } from '../execution/node-class.js';
import { pythonRound } from '../pixels/python-round.js';
import { UPSCALE_METHODS, upscale } from '../pixels/resample.js';

const CROPS = ['disabled', 'center'] as const;
const MEGAPIXEL = 1024 * 1024;

export const imageScale: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const method = inputs.choice('upscale_method', UPSCALE_METHODS);
    const crop = inputs.choice('crop', CROPS);
    let [width, height] = [inputs.int('width'), inputs.int('height')];
    if (width === 0 && height === 0) return [image];
    if (width === 0) width = Math.max(1, pythonRound((image.width * height) / image.height));
    else if (height === 0) height = Math.max(1, pythonRound((image.height * width) / image.width));
    return [await upscale(image, width, height, method, crop, context)];
  },
};

export const imageScaleBy: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const method = inputs.choice('upscale_method', UPSCALE_METHODS);
    const factor = inputs.float('scale_by');
    const [width, height] = [pythonRound(image.width * factor), pythonRound(image.height * factor)];
    return [await upscale(image, width, height, method, 'disabled', context)];
  },
};

export const imageScaleToTotalPixels: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const method = inputs.choice('upscale_method', UPSCALE_METHODS);
    const total = inputs.float('megapixels') * MEGAPIXEL;
    const steps = inputs.int('resolution_steps', 1);
    const factor = Math.sqrt(total / (image.width * image.height));
    const width = pythonRound((image.width * factor) / steps) * steps;
    const height = pythonRound((image.height * factor) / steps) * steps;
    return [await upscale(image, width, height, method, 'disabled', context)];
  },
};

export const imageScaleToMaxDimension: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    const method = inputs.choice('upscale_method', UPSCALE_METHODS);
    const largest = inputs.int('largest_size');
    const { width, height } = image;
    let size = { width: largest, height: largest };
    if (height > width) size = { width: pythonRound((width / height) * largest), height: largest };
    else if (width > height) size = { width: largest, height: pythonRound((height / width) * largest) };
    return [await upscale(image, size.width, size.height, method, 'disabled', context)];
  },
};
