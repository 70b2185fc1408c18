import type { NodeContext } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { splitRows } from '../threads/split-rows.js';
import type { Image } from '../values/image.js';

/**
 * The engine's blur of one picture: a (2r+1)^2 kernel `exp(-d^2 / (2 sigma^2))` whose coordinates run from -1 to 1,
 * borders mirrored. The kernel is a product, so rows and columns are summed one after the other, in double precision.
 * The result differs from the engine's float32 sum by less than one step of a byte. With a `strength` the picture is
 * sharpened by so much: the kernel times `-strength`, its centre raised so that the sum is 1, which is
 * `v + strength * (v - blurred)`, clamped to 0..1.
 */
export async function gaussianBlur(
  image: Image,
  radius: number,
  sigma: number,
  to: Float32Array,
  context: Pick<NodeContext, 'checkpoint'>,
  strength?: number,
): Promise<void> {
  const { width, height, channels, batch } = image;
  requireRoom(image, radius);
  for (let frame = 0; frame < batch; frame += 1) {
    const work = {
      from: image.frame(frame),
      to: to.subarray(frame * image.stride, (frame + 1) * image.stride),
      width,
      height,
      channels,
      radius,
      sigma,
      ...(strength === undefined ? {} : { strength }),
      firstRow: 0,
      endRow: height,
    };
    await splitRows({ kind: 'blur', work }, (row) => context.checkpoint(frame * height + row + 1, batch * height));
  }
}

function requireRoom({ batch, channels, height, width }: Image, radius: number): void {
  const dimension = radius >= width ? 3 : radius >= height ? 2 : null;
  if (dimension === null) return;
  throw new NodeError(
    'RuntimeError',
    'Argument #4: Padding size should be less than the corresponding input dimension, but got: ' +
      `padding (${radius}, ${radius}) at dimension ${dimension} of input [${batch}, ${channels}, ${height}, ${width}]`,
  );
}
