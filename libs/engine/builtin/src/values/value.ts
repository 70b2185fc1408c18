import type { Image } from './image.js';
import type { Mask } from './mask.js';
import type { Tensor } from './tensor.js';

/**
 * What flows along a link or stands in an input. The engine is written in Python, where `1` and `1.0` differ: here a
 * Python int is a `bigint` and a Python float a `number`.
 */
export type Value =
  null | boolean | bigint | number | string | Image | Mask | Tensor | readonly Value[] | ReadonlyMap<string, Value>;

/** The part of `Value` that JSON can hold. */
export type PythonJson =
  null | boolean | bigint | number | string | readonly PythonJson[] | ReadonlyMap<string, PythonJson>;

/** A Python dict, such as a latent or a sound. */
export type Dict = ReadonlyMap<string, Value>;

export function isDict(value: Value | undefined): value is Dict {
  return value instanceof Map;
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isJsonList(value: PythonJson | undefined): value is readonly PythonJson[] {
  return Array.isArray(value);
}
