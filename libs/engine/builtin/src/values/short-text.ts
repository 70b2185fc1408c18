import { Image } from './image.js';
import { Mask } from './mask.js';
import { Tensor } from './tensor.js';
import { isList, type Value } from './value.js';

/** Longest text of a value in a report of an error. */
const MAX_TEXT = 10_000;

/** What a value is, in words for people, bounded. */
export function shortText(value: Value): string {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}...` : value;
  if (value instanceof Image) {
    return `tensor(shape=[${value.batch}, ${value.height}, ${value.width}, ${value.channels}])`;
  }
  if (value instanceof Mask) return `tensor(shape=[${value.batch}, ${value.height}, ${value.width}])`;
  if (value instanceof Tensor) return `tensor(shape=[${value.shape.join(', ')}])`;
  if (isList(value)) return `list of ${value.length}`;
  return value !== null && typeof value === 'object' ? 'object' : String(value);
}
