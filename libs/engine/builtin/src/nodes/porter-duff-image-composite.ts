import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { PORTER_DUFF_MODES, porterDuffRule } from '../pixels/porter-duff.js';
import { upscale } from '../pixels/resample.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';

const { fround } = Math;
/** Below this alpha a pixel has no colour. */
const MIN_ALPHA = 1e-5;

export const porterDuffImageComposite: NodeImplementation = {
  async run(inputs, context) {
    const destination = inputs.image('destination');
    const { width, height, channels } = destination;
    const given = inputs.image('source');
    if (given.channels !== channels) throw new NodeError('AssertionError', '');
    const rule = porterDuffRule(inputs.choice('mode', PORTER_DUFF_MODES));
    const source = await fit(given, width, height, context);
    const destinationAlpha = await fit(asImage(inputs.mask('destination_alpha')), width, height, context);
    const sourceAlpha = await fit(asImage(inputs.mask('source_alpha')), width, height, context);
    const batch = Math.min(source.batch, sourceAlpha.batch, destination.batch, destinationAlpha.batch);
    const pixels = batch * width * height;
    const colours = context.pixels(pixels * channels);
    const masks = context.pixels(pixels);
    for (let i = 0; i < pixels; i += 1) {
      const a = 1 - (sourceAlpha.data[i] as number);
      const b = 1 - (destinationAlpha.data[i] as number);
      const [upper, lower] = [fround(a), fround(b)];
      const alpha = rule.alpha(upper, lower);
      for (let c = i * channels; c < (i + 1) * channels; c += 1) {
        if (!(alpha > MIN_ALPHA)) continue;
        const colour = rule.colour({
          source: fround((source.data[c] as number) * upper),
          sourceAlpha: upper,
          destination: fround((destination.data[c] as number) * lower),
          destinationAlpha: lower,
        });
        colours[c] = Math.min(Math.max(fround(colour / alpha), 0), 1);
      }
      masks[i] = 1 - alpha;
    }
    return [new Image([batch, height, width, channels], colours), new Mask(batch, height, width, masks)];
  },
};

function asImage(mask: Mask): Image {
  return new Image([mask.batch, mask.height, mask.width, 1], mask.data);
}

function fit(image: Image, width: number, height: number, context: NodeContext): Promise<Image> {
  if (image.width === width && image.height === height) return Promise.resolve(image);
  return upscale(image, width, height, 'bicubic', 'center', context);
}
