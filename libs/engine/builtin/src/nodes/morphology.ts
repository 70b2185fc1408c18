import type { NodeImplementation, NodeContext } from '../execution/node-class.js';
import { slidingExtreme } from '../morphology/sliding-extreme.js';
import { Image } from '../values/image.js';

const OPERATIONS = ['erode', 'dilate', 'open', 'close', 'gradient', 'bottom_hat', 'top_hat'] as const;
type Operation = (typeof OPERATIONS)[number];

export const morphology: NodeImplementation = {
  async run(inputs, context) {
    const image = inputs.image('image');
    return [await morph(image, inputs.choice('operation', OPERATIONS), inputs.int('kernel_size'), context)];
  },
};

async function morph(image: Image, operation: Operation, size: number, context: NodeContext): Promise<Image> {
  const dilate = (of: Image): Promise<Image> => extreme(of, size, true, context);
  const erode = (of: Image): Promise<Image> => extreme(of, size, false, context);
  if (operation === 'erode') return erode(image);
  if (operation === 'dilate') return dilate(image);
  if (operation === 'open') return dilate(await erode(image));
  if (operation === 'close') return erode(await dilate(image));
  if (operation === 'gradient') return subtract(await dilate(image), await erode(image), context);
  if (operation === 'top_hat') return subtract(image, await dilate(await erode(image)), context);
  return subtract(await erode(await dilate(image)), image, context);
}

async function extreme(image: Image, size: number, highest: boolean, context: NodeContext): Promise<Image> {
  const data = await slidingExtreme(image, size, highest, context);
  return new Image([image.batch, image.height, image.width, image.channels], data);
}

function subtract(one: Image, other: Image, context: NodeContext): Image {
  const data = context.pixels(one.data.length);
  for (let i = 0; i < data.length; i += 1) data[i] = (one.data[i] as number) - (other.data[i] as number);
  return new Image([one.batch, one.height, one.width, one.channels], data);
}
