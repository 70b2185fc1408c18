import pg from 'pg';
import type { SessionGuards } from './session-guards.js';

export interface PoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Maximum connections. */
  readonly size: number;
  readonly guards: SessionGuards;
}

/** A pool that survives server restarts: broken connections are removed, and the next query reconnects. */
export function openPool({ url, applicationName, size, guards }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: applicationName,
    statement_timeout: guards.statementTimeoutMs,
    lock_timeout: guards.lockTimeoutMs,
    idle_in_transaction_session_timeout: guards.idleInTransactionTimeoutMs,
    query_timeout: guards.queryTimeoutMs,
    connectionTimeoutMillis: guards.connectionTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  // The pool removes a broken idle connection itself, but without a listener its error would end the process.
  pool.on('error', () => undefined);
  // Likewise for a checked-out connection that breaks between queries; its next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Describes a failed connection without the password. */
export function describeFailure(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeFailure).join('; ');
  return error instanceof Error ? error.message : String(error);
}
