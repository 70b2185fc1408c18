/** A century: every expiry is a date that clients can read. */
const MAX_KEY_LIFE_S = 100 * 365 * 86_400;

/** The problem of a key's life in seconds, or null; the value null means for ever. */
export function keyLifeProblem(seconds: unknown): string | null {
  const isNumber = typeof seconds === 'number' && seconds > 0 && seconds <= MAX_KEY_LIFE_S;
  return seconds === null || isNumber ? null : `must be a number of seconds above 0, at most ${MAX_KEY_LIFE_S}`;
}

/** The problem of the time that a rotated key is still good for, or null. */
export function overlapProblem(seconds: unknown): string | null {
  const isNumber = typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_KEY_LIFE_S;
  return isNumber ? null : `must be a number of seconds from 0 to ${MAX_KEY_LIFE_S}`;
}
