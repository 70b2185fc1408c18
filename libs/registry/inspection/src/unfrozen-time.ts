/** A longer time between two looks is a process that stood still: a freeze, or a machine that slept. */
const MAX_GAP_MS = 1_000;

let passed = 0;
let lookedAt = performance.now();

/**
 * Milliseconds of a clock of this thread that stands still with the process. Only differences mean something. Whoever
 * bounds work by it looks at it again and again: time between two looks counts up to a second.
 */
export function unfrozenTime(): number {
  const now = performance.now();
  passed += Math.min(now - lookedAt, MAX_GAP_MS);
  lookedAt = now;
  return passed;
}
