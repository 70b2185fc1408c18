import type { SessionGuards } from './session-guards.js';

/** Reads for clients have a pool of their own, so that they cannot starve writes (docs/decisions/0025). */
export type PoolUse = 'writes' | 'reads';

export const READ_POOL_SIZE = 4;

/** Aborts reads that take too long, to free their connection. */
const STATEMENT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 7_000;

export function readGuards(guards: SessionGuards): SessionGuards {
  return {
    ...guards,
    statementTimeoutMs: Math.min(guards.statementTimeoutMs, STATEMENT_TIMEOUT_MS),
    queryTimeoutMs: Math.min(guards.queryTimeoutMs, QUERY_TIMEOUT_MS),
  };
}
