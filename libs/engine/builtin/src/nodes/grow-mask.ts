import type { NodeClass } from '../execution/node-class.js';
import { Mask } from '../values/mask.js';

/** Grey dilation (or erosion, for a negative number) by a plus or a 3 x 3 square, again and again. */
export const growMask: NodeClass = {
  async run(inputs, context) {
    const mask = inputs.mask('mask');
    const expand = inputs.int('expand');
    const tapered = inputs.flag('tapered_corners', true);
    const { width, height, batch } = mask;
    let from = mask.data;
    if (expand === 0) return [mask];
    const buffers = [context.pixels(from.length), context.pixels(from.length)];
    const better = expand > 0 ? Math.max : Math.min;
    const steps = Math.abs(expand);
    for (let step = 0; step < steps; step += 1) {
      const to = buffers[step % 2] as Float32Array<ArrayBuffer>;
      let changed = false;
      for (let row = 0; row < batch * height; row += 1) {
        const y = row % height;
        for (let x = 0; x < width; x += 1) {
          const at = row * width + x;
          const value = neighbourhood(from, at, x, y, width, height, tapered, better);
          changed ||= value !== from[at];
          to[at] = value;
        }
        const pause = context.checkpoint(step + 1, steps);
        if (pause) await pause;
      }
      from = to;
      // A mask that has come to rest stays as it is.
      if (!changed) break;
    }
    return [new Mask(batch, height, width, from)];
  },
};

function neighbourhood(
  from: Float32Array,
  at: number,
  x: number,
  y: number,
  width: number,
  height: number,
  tapered: boolean,
  better: (a: number, b: number) => number,
): number {
  const [left, right] = [x > 0, x < width - 1];
  const [up, down] = [y > 0, y < height - 1];
  let value = from[at] as number;
  if (left) value = better(value, from[at - 1] as number);
  if (right) value = better(value, from[at + 1] as number);
  if (up) value = better(value, from[at - width] as number);
  if (down) value = better(value, from[at + width] as number);
  if (tapered) return value;
  if (up && left) value = better(value, from[at - width - 1] as number);
  if (up && right) value = better(value, from[at - width + 1] as number);
  if (down && left) value = better(value, from[at + width - 1] as number);
  if (down && right) value = better(value, from[at + width + 1] as number);
  return value;
}
