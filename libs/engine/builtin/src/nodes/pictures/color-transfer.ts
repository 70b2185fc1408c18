import { matchingSteps, replaceSteps, shareBelow } from '../../colour/match-histogram.js';
import { fromLab, toLab } from '../../colour/lab.js';
import { matchSpread, moveColours, spreadOf, type LabMethod, type Spread } from '../../colour/match-lab.js';
import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { Image } from '../../values/image.js';

const METHODS = ['reinhard_lab', 'mkl_lab', 'histogram'] as const;
const STATS = ['per_frame', 'uniform', 'target_frame'] as const;

/** Which pictures of a batch say how the colours of all of it lie. */
interface Matching {
  readonly target: Image;
  readonly reference: Image;
  readonly stats: (typeof STATS)[number];
  readonly chosen: number;
  readonly strength: number;
}

/** The colours of one picture moved to lie like those of another. */
export const colorTransfer: NodeImplementation = {
  async run(inputs, context) {
    const target = inputs.image('image_target');
    const reference = inputs.image('image_ref');
    const method = inputs.choice('method', METHODS);
    const stats = inputs.choice('source_stats', STATS);
    const strength = inputs.float('strength', 1);
    if (strength === 0) return [target];
    const chosen = Math.min(inputs.int('source_stats.target_index', 0), target.batch - 1);
    const matching: Matching = { target, reference, stats, chosen, strength };
    const data = context.pixels(target.data.length);
    if (method === 'histogram') await byHistogram(matching, data, context);
    else await byLab(matching, method, data, context);
    return [new Image([target.batch, target.height, target.width, target.channels], data)];
  },
};

function framesOf(image: Image): readonly Float32Array[] {
  return Array.from({ length: image.batch }, (_, index) => image.frame(index));
}

async function byHistogram(matching: Matching, data: Float32Array, context: NodeContext): Promise<void> {
  const { target, reference, stats, chosen, strength } = matching;
  const { channels, stride } = target;
  const stepsFor = (source: readonly Float32Array[], like: readonly Float32Array[]): Float32Array =>
    matchingSteps(shareBelow(source, channels), shareBelow(like, reference.channels));
  let common: Float32Array | null = null;
  if (stats !== 'per_frame') {
    common = stepsFor(stats === 'uniform' ? framesOf(target) : [target.frame(chosen)], framesOf(reference));
  }
  for (let index = 0; index < target.batch; index += 1) {
    const frame = target.frame(index);
    const steps = common ?? stepsFor([frame], [reference.frame(Math.min(index, reference.batch - 1))]);
    replaceSteps(frame, data.subarray(index * stride, (index + 1) * stride), { steps, channels, strength });
    await context.checkpoint(index + 1, target.batch);
  }
}

async function byLab(matching: Matching, method: LabMethod, data: Float32Array, context: NodeContext): Promise<void> {
  const { target, reference, stats, chosen, strength } = matching;
  requireRgb(reference);
  requireRgb(target);
  // Frames in double precision, of the target and the reference together.
  context.reserve(((stats === 'uniform' ? target.data.length : target.stride) + reference.data.length) * 8);
  const labOf = (image: Image, index: number): Float64Array => toLab(image.frame(index));
  const spreadOfAll = (image: Image): Spread => spreadOf(framesOf(image).map(toLab));
  const wholeReference = reference.batch === 1 || stats !== 'per_frame' ? spreadOfAll(reference) : null;
  let common: Spread | null = null;
  if (stats === 'uniform') common = spreadOfAll(target);
  else if (stats === 'target_frame') common = spreadOf([labOf(target, chosen)]);
  for (let index = 0; index < target.batch; index += 1) {
    const lab = labOf(target, index);
    const source = common ?? spreadOf([lab]);
    const like = wholeReference ?? spreadOf([labOf(reference, Math.min(index, reference.batch - 1))]);
    moveColours(lab, matchSpread(method, source, like), { from: source.mean, to: like.mean, strength });
    fromLab(lab, data.subarray(index * target.stride, (index + 1) * target.stride));
    await context.checkpoint(index + 1, target.batch);
  }
}

function requireRgb({ channels, height, width }: Image): void {
  if (channels === 3) return;
  throw new NodeError(
    'ValueError',
    `Input size must have a shape of (*, 3, H, W). Got torch.Size([1, ${channels}, ${height}, ${width}])`,
  );
}
