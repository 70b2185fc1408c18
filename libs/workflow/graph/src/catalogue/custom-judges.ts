import { toPythonInt } from '../check-workflow/python-coercion.js';
import type { JsonValue } from '../json/json-value.js';

/** Result of a check; `raises` if its code would throw. */
export type CustomVerdict = 'passes' | 'fails' | 'raises';

/** Refuses a camera that does not move at all; values are checked in order until one is not zero. */
export function somethingMoves(values: readonly (JsonValue | undefined)[]): CustomVerdict {
  if (values.includes(undefined)) return 'raises';
  for (const value of values) {
    if (typeof value !== 'number') return 'raises';
    if (value !== 0) return 'passes';
  }
  return 'fails';
}

/**
 * `width:height` in whole numbers, from 1:4 to 4:1; the newer engine requires both positive, and throws instead of
 * refusing.
 */
export function fluxAspectRatio([value]: readonly (JsonValue | undefined)[], older: boolean): CustomVerdict {
  if (value === undefined) return 'raises';
  const refused = older ? 'fails' : 'raises';
  const parts = typeof value === 'string' ? value.split(':').map(toPythonInt) : [];
  const [width, height] = parts;
  if (parts.length !== 2 || typeof width === 'symbol' || typeof height === 'symbol' || Number(height) === 0)
    return refused;
  const ratio = Number(width) / Number(height);
  return ratio >= 1 / 4 && ratio <= 4 && (older || Number(width) > 0) ? 'passes' : refused;
}
