import type { SessionGuards } from './session-guards.js';

/** Probes have a connection of their own: a busy pool is not a reason to send requests elsewhere. */
export const PROBE_POOL_SIZE = 1;

/** Below the two seconds that a check of `/readyz` may take. */
const TIMEOUT_MS = 1_500;

export function probeGuards(guards: SessionGuards): SessionGuards {
  return { ...guards, queryTimeoutMs: TIMEOUT_MS, connectionTimeoutMs: TIMEOUT_MS };
}
