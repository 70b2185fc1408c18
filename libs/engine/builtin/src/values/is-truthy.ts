import { NodeError } from '../execution/node-error.js';
import { Image } from './image.js';
import { Mask } from './mask.js';
import { Tensor } from './tensor.js';
import { isDict, isList, type Value } from './value.js';

/** What Python's `bool()` says of a value; tensors of several samples have no truth. */
export function isTruthy(value: Value): boolean {
  if (value instanceof Image || value instanceof Mask || value instanceof Tensor) {
    if (value.data.length === 1) return value.data[0] !== 0;
    throw new NodeError('RuntimeError', 'Boolean value of Tensor with more than one value is ambiguous');
  }
  if (isDict(value)) return value.size > 0;
  return isList(value) ? value.length > 0 : Boolean(value);
}
