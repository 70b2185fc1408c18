import type { NodeImplementation } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { Image } from '../values/image.js';

const { fround } = Math;
const RED = fround(0.299);
const GREEN = fround(0.587);
const BLUE = fround(0.114);

/** Luma and the two differences of colour (full range, around 0.5), each as a grey picture. */
export const imageRgbToYuv: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const { batch, height, width, channels } = image;
    if (channels !== 3)
      throw new NodeError(
        'ValueError',
        `Input size must have a shape of (*, 3, H, W). Got torch.Size([${batch}, ${channels}, ${height}, ${width}])`,
      );
    const planes = [0, 1, 2].map(() => context.pixels(image.data.length));
    const [y, u, v] = planes as [Float32Array, Float32Array, Float32Array];
    for (let i = 0; i < image.data.length; i += 3) {
      const red = image.data[i] as number;
      const blue = image.data[i + 2] as number;
      const green = fround(GREEN * (image.data[i + 1] as number));
      const luma = fround(fround(fround(RED * red) + green) + fround(BLUE * blue));
      y.fill(luma, i, i + 3);
      u.fill(fround(fround(fround(blue - luma) * fround(0.564)) + 0.5), i, i + 3);
      v.fill(fround(fround(fround(red - luma) * fround(0.713)) + 0.5), i, i + 3);
    }
    return planes.map((plane) => new Image([batch, height, width, 3], plane as Float32Array));
  },
};

export const imageYuvToRgb: NodeImplementation = {
  run(inputs, context) {
    const [y, u, v] = [inputs.image('Y'), inputs.image('U'), inputs.image('V')];
    const same = [u, v].every((one) => one.batch === y.batch && one.height === y.height && one.width === y.width);
    if (!same) throw new NodeError('RuntimeError', 'Sizes of tensors must match except in dimension 3.');
    const data = context.pixels(y.batch * y.height * y.width * 3);
    for (let i = 0; i < data.length; i += 3) {
      const luma = mean(y, i / 3);
      const cb = fround(mean(u, i / 3) - 0.5);
      const cr = fround(mean(v, i / 3) - 0.5);
      data[i] = luma + fround(fround(1.403) * cr);
      data[i + 1] = fround(luma - fround(fround(0.714) * cr)) - fround(fround(0.344) * cb);
      data[i + 2] = luma + fround(fround(1.773) * cb);
    }
    for (let i = 0; i < data.length; i += 1) data[i] = Math.min(Math.max(data[i] as number, 0), 1);
    return [new Image([y.batch, y.height, y.width, 3], data)];
  },
};

function mean({ data, channels }: Image, pixel: number): number {
  let sum = 0;
  for (let c = 0; c < channels; c += 1) sum = fround(sum + (data[pixel * channels + c] as number));
  return fround(sum / channels);
}
