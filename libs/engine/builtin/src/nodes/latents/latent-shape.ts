import type { NodeImplementation } from '../../execution/node-class.js';
import { pythonRound } from '../../pixels/python-round.js';
import { LATENT_METHODS, resizePlanes } from '../../tensors/resize-planes.js';
import { narrow } from '../../tensors/slice.js';
import { Tensor } from '../../values/tensor.js';
import { requirePicture, samplesOf, withSamples } from './latent-value.js';

const CROPS = ['disabled', 'center'] as const;
const TURNS = ['none', '90 degrees', '180 degrees', '270 degrees'] as const;
const FLIPS = ['x-axis: vertically', 'y-axis: horizontally'] as const;
/** Picture pixels for one latent sample. */
const SCALE = 8;
const MIN_SIDE = 64;

export const latentUpscale: NodeImplementation = {
  async run(inputs, context) {
    const latent = inputs.latent('samples');
    const method = inputs.choice('upscale_method', LATENT_METHODS);
    const crop = inputs.choice('crop', CROPS);
    const samples = samplesOf(latent);
    let [width, height] = [inputs.int('width'), inputs.int('height')];
    if (width === 0 && height === 0) return [latent];
    if (width === 0) {
      height = Math.max(MIN_SIDE, height);
      width = Math.max(MIN_SIDE, pythonRound((samples.size(-1) * height) / samples.size(-2)));
    } else if (height === 0) {
      width = Math.max(MIN_SIDE, width);
      height = Math.max(MIN_SIDE, pythonRound((samples.size(-2) * width) / samples.size(-1)));
    }
    width = Math.floor(Math.max(MIN_SIDE, width) / SCALE);
    height = Math.floor(Math.max(MIN_SIDE, height) / SCALE);
    return [withSamples(latent, await resizePlanes(samples, width, height, method, crop, context))];
  },
};

export const latentUpscaleBy: NodeImplementation = {
  async run(inputs, context) {
    const latent = inputs.latent('samples');
    const method = inputs.choice('upscale_method', LATENT_METHODS);
    const factor = inputs.float('scale_by');
    const samples = samplesOf(latent);
    const [width, height] = [pythonRound(samples.size(-1) * factor), pythonRound(samples.size(-2) * factor)];
    return [withSamples(latent, await resizePlanes(samples, width, height, method, 'disabled', context))];
  },
};

export const latentCrop: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const samples = requirePicture(samplesOf(latent));
    const cut = (tensor: Tensor, dimension: number, given: number, length: number): Tensor => {
      const size = tensor.size(dimension);
      const start = Math.min(Math.floor(given / SCALE), size - SCALE);
      // A start before the beginning counts from the end, as in a Python slice.
      const from = start < 0 ? Math.max(0, size + start) : start;
      const end = start + Math.floor(length / SCALE);
      const to = Math.min(end < 0 ? size + end : end, size);
      return narrow(tensor, dimension, from, Math.max(0, to - from), context);
    };
    const columns = cut(samples, 3, inputs.int('x'), inputs.int('width'));
    return [withSamples(latent, cut(columns, 2, inputs.int('y'), inputs.int('height')))];
  },
};

export const latentFlip: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const vertical = inputs.choice('flip_method', FLIPS) === FLIPS[0];
    const samples = requirePicture(samplesOf(latent));
    return [
      withSamples(
        latent,
        rearrange(samples, vertical ? 'upside down' : 'mirrored', context.pixels(samples.data.length)),
      ),
    ];
  },
};

/** Clockwise. */
export const latentRotate: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const turn = inputs.choice('rotation', TURNS);
    const samples = requirePicture(samplesOf(latent));
    if (turn === 'none') return [latent];
    return [withSamples(latent, rearrange(samples, turn, context.pixels(samples.data.length)))];
  },
};

type Arrangement = 'upside down' | 'mirrored' | Exclude<(typeof TURNS)[number], 'none'>;

function rearrange(samples: Tensor, how: Arrangement, data: Float32Array): Tensor {
  const [height, width] = [samples.size(-2), samples.size(-1)];
  const turned = how === '90 degrees' || how === '270 degrees';
  const [newWidth, newHeight] = turned ? [height, width] : [width, height];
  for (let plane = 0; plane < data.length; plane += width * height) {
    for (let y = 0; y < newHeight; y += 1) {
      for (let x = 0; x < newWidth; x += 1) {
        let from = (height - 1 - y) * width + x;
        if (how === 'mirrored') from = y * width + (width - 1 - x);
        else if (how === '180 degrees') from = (height - 1 - y) * width + (width - 1 - x);
        else if (how === '90 degrees') from = (height - 1 - x) * width + y;
        else if (how === '270 degrees') from = x * width + (width - 1 - y);
        data[plane + y * newWidth + x] = samples.data[plane + from] as number;
      }
    }
  }
  return new Tensor([...samples.shape.slice(0, -2), newHeight, newWidth], data);
}
