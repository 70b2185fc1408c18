/** Limits of every session of a service role: one that hangs in a transaction would hold back the log's sequencer. */
export interface SessionGuards {
  readonly idleInTransactionTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** Enforced by the client: for a server that stopped answering without closing the connection. */
  readonly queryTimeoutMs: number;
  readonly connectionTimeoutMs: number;
}

const DEFAULTS: SessionGuards = {
  idleInTransactionTimeoutMs: 5_000,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 2_000,
  queryTimeoutMs: 15_000,
  connectionTimeoutMs: 5_000,
};

export function sessionGuards(changes: Partial<SessionGuards>): SessionGuards {
  return { ...DEFAULTS, ...changes };
}
