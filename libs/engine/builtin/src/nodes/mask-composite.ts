import type { NodeImplementation } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { Mask } from '../values/mask.js';

const { fround } = Math;
const OPERATIONS = ['multiply', 'add', 'subtract', 'and', 'or', 'xor'] as const;

/** Two samples combined; the logical ones look at rounded values (halves to even: 0.5 counts as 0). */
const combine: Readonly<Record<(typeof OPERATIONS)[number], (a: number, b: number) => number>> = {
  multiply: (a, b) => fround(a * b),
  add: (a, b) => fround(a + b),
  subtract: (a, b) => fround(a - b),
  and: (a, b) => (isSet(a) && isSet(b) ? 1 : 0),
  or: (a, b) => (isSet(a) || isSet(b) ? 1 : 0),
  xor: (a, b) => (isSet(a) !== isSet(b) ? 1 : 0),
};

export const maskComposite: NodeImplementation = {
  run(inputs, context) {
    const destination = inputs.mask('destination');
    const source = inputs.mask('source');
    const operation = combine[inputs.choice('operation', OPERATIONS)];
    const [left, top] = [inputs.int('x'), inputs.int('y')];
    requireOverlap(destination, source, left, top);
    const width = Math.max(0, Math.min(source.width, destination.width - left));
    const height = Math.max(0, Math.min(source.height, destination.height - top));
    const data = context.pixels(destination.data.length);
    data.set(destination.data);
    for (let frame = 0; frame < destination.batch; frame += 1) {
      const from = source.frame(frame % source.batch);
      for (let y = 0; y < height; y += 1) {
        const start = frame * destination.stride + (top + y) * destination.width + left;
        for (let x = 0; x < width; x += 1) {
          data[start + x] = operation(data[start + x] as number, from[y * source.width + x] as number);
        }
      }
    }
    for (let i = 0; i < data.length; i += 1) data[i] = Math.min(Math.max(data[i] as number, 0), 1);
    return [new Mask(destination.batch, destination.height, destination.width, data)];
  },
};

/** Beyond the far border the engine cuts the source from its end, and then the sizes do not match. */
function requireOverlap(destination: Mask, source: Mask, left: number, top: number): void {
  const across = source.width + Math.min(0, destination.width - left);
  const down = source.height + Math.min(0, destination.height - top);
  const sizes = [left > destination.width ? across : 0, top > destination.height ? down : 0] as const;
  const dimension = sizes[0] > 0 ? 2 : sizes[1] > 0 ? 1 : 0;
  if (dimension === 0) return;
  throw new NodeError(
    'RuntimeError',
    `The size of tensor a (0) must match the size of tensor b (${sizes[2 - dimension]}) at non-singleton dimension ${dimension}`,
  );
}

function isSet(value: number): boolean {
  return value > 0.5 || value < -0.5;
}
