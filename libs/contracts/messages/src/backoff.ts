/** More doublings than any limit needs; without it, a first pause of 0 would give NaN in the end. */
const MAX_DOUBLINGS = 30;

/** The pause before the next try after `failures` repeated ones: doubles from `firstMs`, to `maxMs` at most. */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
}
