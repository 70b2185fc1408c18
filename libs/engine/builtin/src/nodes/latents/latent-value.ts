import { NodeError } from '../../execution/node-error.js';
import { Tensor } from '../../values/tensor.js';
import { isList, type Dict, type Value } from '../../values/value.js';

/** The samples of a latent. */
export function samplesOf(latent: Dict): Tensor {
  const samples = latent.get('samples');
  if (samples instanceof Tensor) return samples;
  throw new NodeError('KeyError', "'samples'");
}

/** A copy of a latent with other samples. */
export function withSamples(latent: Dict, samples: Tensor): Dict {
  return new Map(latent).set('samples', samples);
}

export function noiseMaskOf(latent: Dict): Tensor | null {
  const mask = latent.get('noise_mask');
  return mask instanceof Tensor ? mask : null;
}

/** Numbers that say which noise belongs to which item; by default their places, from `first` on. */
export function batchIndexOf(latent: Dict, first = 0): readonly Value[] {
  const given = latent.get('batch_index');
  if (isList(given)) return given;
  return Array.from({ length: samplesOf(latent).size(0) }, (_, i) => BigInt(i + first));
}

/** The samples must have the four dimensions of a latent picture. */
export function requirePicture(samples: Tensor): Tensor {
  if (samples.shape.length === 4) return samples;
  throw new NodeError('IndexError', 'Dimension out of range');
}
