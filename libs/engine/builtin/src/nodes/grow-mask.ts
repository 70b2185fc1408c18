import type { NodeImplementation } from '../execution/node-class.js';
import { Mask } from '../values/mask.js';

/** Grey dilation (or erosion, for a negative number) by a plus or a 3 x 3 square, again and again. */
export const growMask: NodeImplementation = {
  async run(inputs, context) {
    const mask = inputs.mask('mask');
    const expand = inputs.int('expand');
    const steps = Math.abs(expand);
    if (steps === 0) return [mask];
    const grow = inputs.flag('tapered_corners', true) ? growPlus : growSquare;
    const better = expand > 0 ? Math.max : Math.min;
    const { width, height, batch } = mask;
    const buffers = [context.pixels(mask.data.length), context.pixels(mask.data.length)];
    let from = mask.data;
    for (let step = 0; step < steps; step += 1) {
      const to = buffers[step % 2] as Float32Array;
      let changed = false;
      for (let row = 0; row < batch * height; row += 1) {
        const y = row % height;
        const line = (of: number): Float32Array => from.subarray(of * width, (of + 1) * width);
        // Beyond the border stands the row itself, which changes nothing.
        const rows = {
          above: line(y > 0 ? row - 1 : row),
          here: line(row),
          below: line(y < height - 1 ? row + 1 : row),
        };
        changed = grow(rows, to.subarray(row * width, (row + 1) * width), better) || changed;
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

interface Rows {
  readonly above: Float32Array;
  readonly here: Float32Array;
  readonly below: Float32Array;
}

type Better = (...values: number[]) => number;

/** Answers whether a sample changed. */
function growPlus({ above, here, below }: Rows, to: Float32Array, better: Better): boolean {
  const last = here.length - 1;
  let changed = false;
  for (let x = 0; x <= last; x += 1) {
    const value = here[x] as number;
    const sides = better(here[x > 0 ? x - 1 : x] as number, here[x < last ? x + 1 : x] as number);
    const best = better(value, sides, better(above[x] as number, below[x] as number));
    changed ||= best !== value;
    to[x] = best;
  }
  return changed;
}

/** Answers whether a sample changed. */
function growSquare({ above, here, below }: Rows, to: Float32Array, better: Better): boolean {
  const last = here.length - 1;
  const column = (x: number): number => better(above[x] as number, here[x] as number, below[x] as number);
  let changed = false;
  let [left, middle] = [column(0), column(0)];
  for (let x = 0; x <= last; x += 1) {
    const right = column(x < last ? x + 1 : x);
    const best = better(left, middle, right);
    changed ||= best !== here[x];
    to[x] = best;
    [left, middle] = [middle, right];
  }
  return changed;
}
