import type { SessionGuards } from './session-guards.js';

/** Reads that clients ask for have connections of their own: however many wait for one, writes find theirs (docs/decisions/0025). */
export type PoolUse = 'writes' | 'reads';

export const READ_POOL_SIZE = 4;

/** A read that takes so long reads too much: it ends, and its connection serves the next one. */
const STATEMENT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 7_000;

export function readGuards(guards: SessionGuards): SessionGuards {
  return {
    ...guards,
    statementTimeoutMs: Math.min(guards.statementTimeoutMs, STATEMENT_TIMEOUT_MS),
    queryTimeoutMs: Math.min(guards.queryTimeoutMs, QUERY_TIMEOUT_MS),
  };
}
