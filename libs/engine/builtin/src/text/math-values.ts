import { NodeError } from '../execution/node-error.js';

/** A Python number: an int is a `bigint`, a float a `number`. */
export type MathValue = number | bigint | boolean | readonly MathValue[];

/** Python's truth of a value. */
export function isTrue(value: MathValue): boolean {
  return typeof value === 'object' ? value.length > 0 : Boolean(value);
}

/** A number as Python's arithmetic sees it: booleans are integers. */
export function numeric(value: MathValue): number | bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'object') throw new NodeError('TypeError', 'a list stands where a number was expected');
  return value;
}
