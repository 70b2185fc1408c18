import type { NodeImplementation } from '../execution/node-class.js';
import { pythonJson, pythonRepr } from '../graph/python-text.js';
import { Image } from '../values/image.js';
import { Mask } from '../values/mask.js';
import { shortText } from '../values/short-text.js';
import { Tensor } from '../values/tensor.js';
import { isList, type PythonJson, type Value } from '../values/value.js';

const INDENT = 4;

export const previewAny: NodeImplementation = {
  async run(inputs, context) {
    const text = shown(inputs.any('source'));
    await context.text(text);
    return [text];
  },
};

/** Strings as they are, plain values as Python's `str()`, lists and objects as indented JSON, tensors by their shape. */
function shown(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Image || value instanceof Mask || value instanceof Tensor) return shortText(value);
  if (value === null || typeof value !== 'object') return pythonRepr(value);
  const json = asJson(value);
  return json === undefined ? '[tensor]' : pythonJson(json, INDENT, 0, false);
}

function asJson(value: Value): PythonJson | undefined {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Image || value instanceof Mask || value instanceof Tensor) return undefined;
  if (isList(value)) {
    const items = value.map(asJson);
    return items.every((item): item is PythonJson => item !== undefined) ? items : undefined;
  }
  const members = [...value].map(([key, member]) => [key, asJson(member)] as const);
  return members.every((member): member is readonly [string, PythonJson] => member[1] !== undefined)
    ? new Map(members)
    : undefined;
}
