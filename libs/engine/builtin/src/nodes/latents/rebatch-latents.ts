import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { concatenate, narrow, repeatToBatch } from '../../tensors/slice.js';
import type { Inputs } from '../../values/inputs.js';
import { Tensor } from '../../values/tensor.js';
import type { Dict, Value } from '../../values/value.js';
import { batchIndexOf, noiseMaskOf, requirePicture, samplesOf } from './latent-value.js';

interface Batch {
  readonly samples: Tensor;
  readonly mask: Tensor;
  readonly indices: readonly Value[];
}

/** Latents of a list regrouped into batches of one size; neighbours of another size start a new group. */
export const rebatchLatents: NodeImplementation = {
  run(inputs, context) {
    const size = inputs.firstInt('batch_size');
    const out: Batch[] = [];
    let current: Batch | null = null;
    let processed = 0;
    for (const latent of latentsOf(inputs)) {
      const next = batchOf(latent, processed, context);
      processed += next.indices.length;
      if (current === null) {
        current = next;
      } else if (sameSize(current.samples, next.samples)) {
        current = joined(current, next, context);
      } else {
        out.push(part(current, 0, size, context));
        current = next;
      }
      const count: number = current.samples.size(0);
      if (count <= size) continue;
      const whole = Math.floor(count / size);
      for (let i = 0; i < whole; i += 1) out.push(part(current, i * size, size, context));
      current = whole * size < count ? part(current, whole * size, size, context) : null;
    }
    if (current !== null) out.push(part(current, 0, size, context));
    return [out.map(latentOf)];
  },
};

function latentsOf(inputs: Inputs): readonly Dict[] {
  return inputs.list('latents') as readonly Dict[];
}

function batchOf(latent: Dict, offset: number, context: NodeContext): Batch {
  const samples = requirePicture(samplesOf(latent));
  const shape = [samples.size(0), 1, samples.size(2) * 8, samples.size(3) * 8];
  const given = noiseMaskOf(latent);
  const mask = given ?? new Tensor(shape, context.pixels(shape.reduce((a, b) => a * b)).fill(1));
  const full = mask.size(0) < samples.size(0) ? repeatToBatch(mask, samples.size(0), context) : mask;
  return { samples, mask: full, indices: batchIndexOf(latent, offset) };
}

function sameSize(one: Tensor, other: Tensor): boolean {
  return one.size(-1) === other.size(-1) && one.size(-2) === other.size(-2);
}

function joined(one: Batch, other: Batch, context: NodeContext): Batch {
  return {
    samples: concatenate([one.samples, other.samples], 0, context),
    mask: concatenate([one.mask, other.mask], 0, context),
    indices: [...one.indices, ...other.indices],
  };
}

function part(batch: Batch, start: number, size: number, context: NodeContext): Batch {
  const length = Math.min(size, batch.samples.size(0) - start);
  return {
    samples: narrow(batch.samples, 0, start, length, context),
    mask: narrow(batch.mask, 0, start, Math.min(length, batch.mask.size(0) - start), context),
    indices: batch.indices.slice(start, start + size),
  };
}

function latentOf({ samples, mask, indices }: Batch): Dict {
  const members: [string, Value][] = [['samples', samples]];
  if (mask.data.some((value) => value !== 1)) members.push(['noise_mask', mask]);
  return new Map([...members, ['batch_index', indices]]);
}
