import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { resizePlanes } from '../../tensors/resize-planes.js';
import { repeatToBatch } from '../../tensors/slice.js';
import type { Inputs } from '../../values/inputs.js';
import { Tensor } from '../../values/tensor.js';
import { samplesOf, withSamples } from './latent-value.js';

const { fround, sqrt } = Math;

export const latentAdd: NodeImplementation = combining((a, b) => a + b);
export const latentSubtract: NodeImplementation = combining((a, b) => a - b);

export const latentMultiply: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const factor = fround(inputs.float('multiplier'));
    const { shape, data } = samplesOf(latent);
    const to = context.pixels(data.length);
    for (let i = 0; i < to.length; i += 1) to[i] = (data[i] as number) * factor;
    return [withSamples(latent, new Tensor(shape, to))];
  },
};

export const latentBlend: NodeImplementation = {
  async run(inputs, context) {
    const latent = inputs.latent('samples1');
    const one = samplesOf(latent);
    const given = samplesOf(inputs.latent('samples2'));
    const other = sameShape(one, given)
      ? given
      : await resizePlanes(given, one.size(3), one.size(2), 'bicubic', 'center', context);
    requireBroadcast(one, other);
    const factor = inputs.float('blend_factor');
    const [keep, rest] = [fround(factor), fround(1 - factor)];
    const to = context.pixels(one.data.length);
    for (let i = 0; i < to.length; i += 1) {
      to[i] = fround((one.data[i] as number) * keep) + fround((other.data[i % other.data.length] as number) * rest);
    }
    return [withSamples(latent, new Tensor(one.shape, to))];
  },
};

/** Between two latents, the direction of their vectors and their length by themselves. */
export const latentInterpolate: NodeImplementation = {
  async run(inputs, context) {
    const latent = inputs.latent('samples1');
    const { one, other } = await pairOf(inputs, context);
    const ratio = inputs.float('ratio');
    const [share, rest] = [fround(ratio), fround(1 - ratio)];
    const to = context.pixels(one.data.length);
    const [batch, channels] = [one.size(0), one.size(1)];
    const inner = one.data.length / (batch * channels);
    if (batch !== 1 && batch !== channels) {
      throw new NodeError(
        'RuntimeError',
        `The size of tensor a (${channels}) must match the size of tensor b (${batch}) at non-singleton dimension 1`,
      );
    }
    // The engine divides [batch, channels, ...] by norms of [batch, ...]: the norms line up from the last dimension.
    const norms = [one, other].map((tensor) => norm(tensor.data, batch, channels, inner));
    for (let i = 0; i < to.length; i += 1) {
      const at = i % (inner * batch);
      const first = clean((one.data[i] as number) / (norms[0]?.[at] as number));
      const second = clean((other.data[i] as number) / (norms[1]?.[at] as number));
      to[i] = fround(first * share) + fround(second * rest);
    }
    const mixed = norm(to, batch, channels, inner);
    for (let i = 0; i < to.length; i += 1) {
      const at = i % (inner * batch);
      const length = fround((norms[0]?.[at] as number) * share) + fround((norms[1]?.[at] as number) * rest);
      to[i] = clean((to[i] as number) / (mixed[at] as number)) * fround(length);
    }
    return [withSamples(latent, new Tensor(one.shape, to))];
  },
};

function combining(combine: (a: number, b: number) => number): NodeImplementation {
  return {
    async run(inputs, context) {
      const { one, other } = await pairOf(inputs, context);
      const to = context.pixels(one.data.length);
      for (let i = 0; i < to.length; i += 1) to[i] = combine(one.data[i] as number, other.data[i] as number);
      return [withSamples(inputs.latent('samples1'), new Tensor(one.shape, to))];
    },
  };
}

async function pairOf(inputs: Inputs, context: NodeContext): Promise<{ one: Tensor; other: Tensor }> {
  const one = samplesOf(inputs.latent('samples1'));
  const other = await reshapeTo(one, samplesOf(inputs.latent('samples2')), context);
  return { one, other: repeatToBatch(other, one.size(0), context) };
}

/** A latent brought to the size of another one, but for its batch. */
export async function reshapeTo(like: Tensor, given: Tensor, context: NodeContext): Promise<Tensor> {
  if (like.shape.slice(1).join() === given.shape.slice(1).join()) return given;
  return resizePlanes(given, like.size(-1), like.size(-2), 'bilinear', 'center', context);
}

function requireBroadcast(one: Tensor, other: Tensor): void {
  const [a, b] = [one.size(0), other.size(0)];
  if (a === b || b === 1) return;
  throw new NodeError(
    'RuntimeError',
    `The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension 0`,
  );
}

function sameShape(one: Tensor, other: Tensor): boolean {
  return one.shape.join() === other.shape.join();
}

function norm(data: Float32Array, batch: number, channels: number, inner: number): Float32Array {
  const norms = new Float32Array(batch * inner);
  for (let b = 0; b < batch; b += 1) {
    for (let i = 0; i < inner; i += 1) {
      let sum = 0;
      for (let c = 0; c < channels; c += 1) {
        const value = data[(b * channels + c) * inner + i] as number;
        sum += value * value;
      }
      norms[b * inner + i] = sqrt(sum);
    }
  }
  return norms;
}

function clean(value: number): number {
  if (Number.isNaN(value)) return 0;
  return fround(Math.min(Math.max(value, -3.4028234663852886e38), 3.4028234663852886e38));
}
