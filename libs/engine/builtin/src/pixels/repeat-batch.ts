import type { NodeContext } from '../execution/node-class.js';
import { Image } from '../values/image.js';

/** Brings two pictures to the larger batch by repeating the last one of the smaller. */
export function repeatTo(one: Image, two: Image, context: NodeContext): [Image, Image] {
  const batch = Math.max(one.batch, two.batch);
  return [repeatLast(one, batch, context), repeatLast(two, batch, context)];
}

function repeatLast(image: Image, batch: number, context: NodeContext): Image {
  if (image.batch === batch) return image;
  const data = context.pixels(batch * image.stride);
  data.set(image.data);
  for (let frame = image.batch; frame < batch; frame += 1) data.set(image.frame(image.batch - 1), frame * image.stride);
  return new Image([batch, image.height, image.width, image.channels], data);
}
