import pg from 'pg';
import type { SessionGuards } from './session-guards.js';

export interface PoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Most connections. */
  readonly size: number;
  readonly guards: SessionGuards;
}

/** A pool that survives restarts of the server: what breaks leaves it, and the next query connects anew. */
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
  // An idle connection that breaks leaves the pool by itself; without a listener it would end the process.
  pool.on('error', () => undefined);
  // The same holds for one that breaks while somebody has it and runs no query; the next query on it fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A failed connection in words, without the password. */
export function describeFailure(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeFailure).join('; ');
  return error instanceof Error ? error.message : String(error);
}
