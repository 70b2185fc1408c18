import type { NodeContext } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';
import { sampleCount, Tensor } from '../values/tensor.js';

/** `length` places of one dimension from `start` on. */
export function narrow(tensor: Tensor, dimension: number, start: number, length: number, context: NodeContext): Tensor {
  const { outer, size, inner } = around(tensor, dimension);
  const shape = tensor.shape.with(dimension, length);
  const data = context.pixels(sampleCount(shape));
  for (let i = 0; i < outer; i += 1) {
    const from = (i * size + start) * inner;
    data.set(tensor.data.subarray(from, from + length * inner), i * length * inner);
  }
  return new Tensor(shape, data);
}

/** Tensors one after the other along a dimension; all others must be equal. */
export function concatenate(tensors: readonly Tensor[], dimension: number, context: NodeContext): Tensor {
  const [first] = tensors;
  if (first === undefined) throw new RangeError('nothing to join');
  for (const tensor of tensors) requireEqual(first, tensor, dimension);
  const total = tensors.reduce((sum, tensor) => sum + tensor.size(dimension), 0);
  const shape = first.shape.with(dimension, total);
  const data = context.pixels(sampleCount(shape));
  const { outer, inner } = around(first, dimension);
  let at = 0;
  for (let i = 0; i < outer; i += 1) {
    for (const tensor of tensors) {
      const length = tensor.size(dimension) * inner;
      data.set(tensor.data.subarray(i * length, (i + 1) * length), at);
      at += length;
    }
  }
  return new Tensor(shape, data);
}

/** The first dimension brought to `count`: repeated from the start, or cut. */
export function repeatToBatch(tensor: Tensor, count: number, context: NodeContext): Tensor {
  const batch = tensor.size(0);
  if (batch === count) return tensor;
  if (batch > count) return narrow(tensor, 0, 0, count, context);
  const stride = tensor.data.length / batch;
  const data = context.pixels(stride * count);
  for (let at = 0; at < data.length; at += tensor.data.length) {
    data.set(tensor.data.subarray(0, Math.min(tensor.data.length, data.length - at)), at);
  }
  return new Tensor(tensor.shape.with(0, count), data);
}

/** The whole batch again and again. */
export function repeatBatch(tensor: Tensor, times: number, context: NodeContext): Tensor {
  return repeatToBatch(tensor, tensor.size(0) * times, context);
}

function around(tensor: Tensor, dimension: number): { outer: number; size: number; inner: number } {
  const outer = sampleCount(tensor.shape.slice(0, dimension));
  const size = tensor.size(dimension);
  return { outer, size, inner: sampleCount(tensor.shape.slice(dimension + 1)) };
}

function requireEqual(one: Tensor, other: Tensor, except: number): void {
  const at = one.shape.findIndex((size, i) => i !== except && size !== other.shape[i]);
  if (one.shape.length === other.shape.length && at < 0) return;
  throw new NodeError(
    'RuntimeError',
    `Sizes of tensors must match except in dimension ${except}. ` +
      `Expected size ${one.shape[at]} but got size ${other.shape[at]} for tensor number 1 in the list.`,
  );
}
