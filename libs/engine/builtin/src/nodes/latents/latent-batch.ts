import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { concatenate, narrow, repeatBatch, repeatToBatch } from '../../tensors/slice.js';
import type { Tensor } from '../../values/tensor.js';
import type { Dict, Value } from '../../values/value.js';
import { reshapeTo } from './latent-arithmetic.js';
import { batchIndexOf, noiseMaskOf, samplesOf, withSamples } from './latent-value.js';

const SEEDS = ['random', 'fixed'] as const;
const MAX_GROUP = 50;

export const latentFromBatch: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const samples = samplesOf(latent);
    const batch = samples.size(0);
    let start = inputs.int('batch_index');
    if (start < 0) start += batch;
    start = Math.max(0, Math.min(batch - 1, start));
    const length = Math.min(batch - start, inputs.int('length'));
    const out = new Map(withSamples(latent, narrow(samples, 0, start, length, context)));
    const mask = noiseMaskOf(latent);
    if (mask !== null && mask.size(0) > 1) {
      out.set('noise_mask', narrow(repeatToBatch(mask, batch, context), 0, start, length, context));
    }
    out.set('batch_index', batchIndexOf(latent).slice(start, start + length));
    return [out];
  },
};

export const repeatLatentBatch: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const amount = inputs.int('amount');
    const out = new Map(withSamples(latent, repeatBatch(samplesOf(latent), amount, context)));
    const mask = noiseMaskOf(latent);
    if (mask !== null && mask.size(0) > 1) out.set('noise_mask', repeatBatch(mask, amount, context));
    if (latent.has('batch_index')) {
      const numbers = batchIndexOf(latent).map(Number);
      const offset = Math.max(...numbers) - Math.min(...numbers) + 1;
      const all = Array.from({ length: amount }, (_, i) => numbers.map((number) => BigInt(number + i * offset)));
      out.set('batch_index', all.flat());
    }
    return [out];
  },
};

export const latentBatch: NodeImplementation = {
  async run(inputs, context) {
    return [await joinLatents([inputs.latent('samples1'), inputs.latent('samples2')], context)];
  },
};

export const batchLatents: NodeImplementation = {
  async run(inputs, context) {
    const latents = [...inputs.group('latents', 'latent', MAX_GROUP).values()];
    return [await joinLatents(latents as Dict[], context)];
  },
};

/** Latents one after the other, each in the size of the first. */
async function joinLatents(latents: readonly Dict[], context: NodeContext): Promise<Value> {
  const [first] = latents;
  if (first === undefined) return null;
  const like = samplesOf(first);
  const tensors: Tensor[] = [];
  for (const latent of latents) tensors.push(await reshapeTo(like, samplesOf(latent), context));
  const indices = latents.flatMap((latent) => batchIndexOf(latent));
  return new Map(withSamples(first, concatenate(tensors, 0, context))).set('batch_index', indices);
}

export const latentBatchSeedBehavior: NodeImplementation = {
  run(inputs) {
    const latent = inputs.latent('samples');
    const out = new Map(latent);
    if (inputs.choice('seed_behavior', SEEDS) === 'random') {
      out.delete('batch_index');
    } else {
      const [first = 0n] = latent.has('batch_index') ? batchIndexOf(latent) : [0n];
      out.set('batch_index', new Array<Value>(samplesOf(latent).size(0)).fill(first));
    }
    return [out];
  },
};

export const setLatentNoiseMask: NodeImplementation = {
  run(inputs) {
    return [new Map(inputs.latent('samples')).set('noise_mask', inputs.maskTensor('mask'))];
  },
};

const JOINS = ['x', '-x', 'y', '-y', 't', '-t'] as const;
const CUTS = ['x', 'y', 't'] as const;

export const latentConcat: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples1');
    const one = samplesOf(latent);
    const other = repeatToBatch(samplesOf(inputs.latent('samples2')), one.size(0), context);
    const dim = inputs.choice('dim', JOINS);
    const parts = dim.startsWith('-') ? [other, one] : [one, other];
    return [withSamples(latent, concatenate(parts, dimensionOf(one, dim.at(-1) ?? 'x'), context))];
  },
};

export const latentCut: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const samples = samplesOf(latent);
    const dimension = dimensionOf(samples, inputs.choice('dim', CUTS));
    const size = samples.size(dimension);
    const [index, amount] = [inputs.int('index'), inputs.int('amount')];
    const start = index >= 0 ? Math.min(index, size - 1) : Math.max(index, -size) + size;
    return [withSamples(latent, narrow(samples, dimension, start, Math.min(size - start, amount), context))];
  },
};

export const latentCutToBatch: NodeImplementation = {
  run(inputs, context) {
    const latent = inputs.latent('samples');
    const samples = samplesOf(latent);
    const dimension = dimensionOf(samples, inputs.choice('dim', ['t', 'x', 'y']));
    if (dimension < 2) return [latent];
    const size = samples.size(dimension);
    const length = Math.min(inputs.int('slice_size'), size);
    // Item by item, each cut into slices that become items of their own.
    const slices: Tensor[] = [];
    for (let item = 0; item < samples.size(0); item += 1) {
      const one = narrow(samples, 0, item, 1, context);
      for (let start = 0; start + length <= size; start += length) {
        slices.push(narrow(one, dimension, start, length, context));
      }
    }
    return [withSamples(latent, concatenate(slices, 0, context))];
  },
};

function dimensionOf(tensor: Tensor, letter: string): number {
  const dimension = tensor.shape.length - (letter === 'x' ? 1 : letter === 'y' ? 2 : 3);
  if (dimension >= 0) return dimension;
  throw new NodeError('IndexError', 'Dimension out of range');
}
