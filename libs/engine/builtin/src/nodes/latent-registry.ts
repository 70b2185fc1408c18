import type { NodeImplementation } from '../execution/node-class.js';
import { emptyLatents } from './latents/empty-latents.js';
import {
  latentAdd,
  latentBlend,
  latentInterpolate,
  latentMultiply,
  latentSubtract,
} from './latents/latent-arithmetic.js';
import {
  batchLatents,
  latentBatch,
  latentBatchSeedBehavior,
  latentConcat,
  latentCut,
  latentCutToBatch,
  latentFromBatch,
  repeatLatentBatch,
  setLatentNoiseMask,
} from './latents/latent-batch.js';
import { latentComposite, latentCompositeMasked } from './latents/latent-composite.js';
import { loadLatent, saveLatent } from './latents/latent-files.js';
import { latentCrop, latentFlip, latentRotate, latentUpscale, latentUpscaleBy } from './latents/latent-shape.js';
import { rebatchLatents } from './latents/rebatch-latents.js';

/** Classes that work on latents without a model. */
export const latentNodes: readonly (readonly [string, NodeImplementation])[] = [
  ...emptyLatents,
  ['LatentAdd', latentAdd],
  ['LatentSubtract', latentSubtract],
  ['LatentMultiply', latentMultiply],
  ['LatentInterpolate', latentInterpolate],
  ['LatentBlend', latentBlend],
  ['LatentComposite', latentComposite],
  ['LatentCompositeMasked', latentCompositeMasked],
  ['LatentUpscale', latentUpscale],
  ['LatentUpscaleBy', latentUpscaleBy],
  ['LatentCrop', latentCrop],
  ['LatentFlip', latentFlip],
  ['LatentRotate', latentRotate],
  ['LatentFromBatch', latentFromBatch],
  ['RepeatLatentBatch', repeatLatentBatch],
  ['LatentBatch', latentBatch],
  ['LatentBatchSeedBehavior', latentBatchSeedBehavior],
  ['LatentConcat', latentConcat],
  ['LatentCut', latentCut],
  ['LatentCutToBatch', latentCutToBatch],
  ['BatchLatentsNode', batchLatents],
  ['RebatchLatents', rebatchLatents],
  ['SetLatentNoiseMask', setLatentNoiseMask],
  ['SaveLatent', saveLatent],
  ['LoadLatent', loadLatent],
];
