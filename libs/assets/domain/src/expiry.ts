export const MIN_EXPIRES_IN = 60;
export const MAX_EXPIRES_IN = 604_800;

/** The problem of an `expires_in` in seconds, or null (api-v2, Limits). */
export function expiresInProblem(seconds: number): string | null {
  if (Number.isInteger(seconds) && seconds >= MIN_EXPIRES_IN && seconds <= MAX_EXPIRES_IN) return null;
  return `must be an integer of ${MIN_EXPIRES_IN} to ${MAX_EXPIRES_IN} seconds`;
}

/** Parses an `expires_in` from text: digits only, NaN for anything else. */
export function parseExpiresIn(text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/**
 * Lifetime of a new record in seconds, null = unlimited: the override takes precedence over the surface's retention.
 */
export function retentionSeconds(expiresIn: number | null, surfaceRetention: number | null): number | null {
  return expiresIn ?? surfaceRetention;
}
