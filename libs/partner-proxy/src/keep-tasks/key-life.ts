/** How long an Idempotency-Key of the proxy lives, by the database clock: as long as a key of a job by default (registry, Partner proxy). */
export const KEY_LIFE_MS = 86_400_000;
