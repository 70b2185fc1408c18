import type { NodeImplementation } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { coerceConstant, CoercionError } from '../../graph/coerce.js';
import { pythonFloat, pythonRepr } from '../../graph/python-text.js';
import { pythonRound } from '../../pixels/python-round.js';
import { isTruthy } from '../../values/is-truthy.js';
import type { PythonJson } from '../../values/value.js';

/** The engine's limit of a growing group that states none. */
const MAX_GROUP = 10;
const MEGAPIXEL = 1024 * 1024;
const ASPECTS: readonly (readonly [string, number, number])[] = [
  ['1:1 (Square)', 1, 1],
  ['2:3 (Portrait Photo)', 2, 3],
  ['3:2 (Photo)', 3, 2],
  ['3:4 (Portrait Standard)', 3, 4],
  ['4:3 (Standard)', 4, 3],
  ['9:16 (Portrait Widescreen)', 9, 16],
  ['16:9 (Widescreen)', 16, 9],
  ['21:9 (Ultrawide)', 21, 9],
];

export const comfyAnd: NodeImplementation = {
  run: (inputs) => [[...inputs.group('values', 'value', MAX_GROUP).values()].every(isTruthy)],
};

export const comfyOr: NodeImplementation = {
  run: (inputs) => [[...inputs.group('values', 'value', MAX_GROUP).values()].some(isTruthy)],
};

export const customCombo: NodeImplementation = {
  run: (inputs) => [inputs.any('choice'), inputs.has('index') ? inputs.any('index') : 0n],
};

export const seed: NodeImplementation = { run: (inputs) => [inputs.any('seed')] };

export const numberConvert: NodeImplementation = {
  run(inputs) {
    const value = inputs.any('value');
    if (typeof value === 'string') return numberOf(value);
    if (typeof value === 'boolean') return [Number(value), value ? 1n : 0n];
    if (typeof value === 'bigint') return [requireFinite(Number(value)), value];
    if (typeof value === 'number') return [requireFinite(value), BigInt(Math.trunc(requireFinite(value)))];
    throw new NodeError('TypeError', `Unsupported input type: ${value === null ? 'NoneType' : 'Tensor'}`);
  },
};

function numberOf(given: string): [number, bigint] {
  const text = given.trim();
  if (text === '') throw new NodeError('ValueError', 'Cannot convert empty string to number.');
  const float = coerced(text, 'FLOAT');
  if (typeof float !== 'number') {
    throw new NodeError('ValueError', `Cannot convert string to number: ${pythonRepr(given)}`);
  }
  const int = coerced(text, 'INT');
  return [requireFinite(float), typeof int === 'bigint' ? int : BigInt(Math.trunc(float))];
}

function coerced(text: string, type: string): PythonJson {
  try {
    return coerceConstant(text, type);
  } catch (error) {
    if (error instanceof CoercionError) return null;
    throw error;
  }
}

function requireFinite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new NodeError('ValueError', `Cannot convert non-finite value to number: ${pythonFloat(value)}`);
}

export const resolutionSelector: NodeImplementation = {
  run(inputs) {
    const name = inputs.text('aspect_ratio');
    const found = ASPECTS.find(([aspect]) => aspect === name);
    if (!found) throw new NodeError('KeyError', pythonRepr(name));
    const [, wide, high] = found;
    const multiple = inputs.int('multiple');
    const scale = Math.sqrt((inputs.float('megapixels') * MEGAPIXEL) / (wide * high));
    return [wide, high].map((side) => BigInt(pythonRound((side * scale) / multiple) * multiple));
  },
};

export const colorToRgbInt: NodeImplementation = {
  run(inputs) {
    const text = inputs.text('color');
    if (!/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) {
      throw new NodeError('ValueError', 'Color must be in format #RRGGBB or #RRGGBBAA');
    }
    const alpha = text.length === 9 ? parseInt(text.slice(7), 16) / 255 : 1;
    return [BigInt(parseInt(text.slice(1, 7), 16)), text.slice(0, 7), alpha];
  },
};

export const createList: NodeImplementation = {
  run: (inputs) => [
    [...inputs.group('inputs', 'input', MAX_GROUP).values()].flatMap((value) =>
      Array.isArray(value) ? value : [value],
    ),
  ],
};

export const primitiveBoundingBox: NodeImplementation = {
  run: (inputs) => [new Map(['x', 'y', 'width', 'height'].map((name) => [name, inputs.any(name)]))],
};
