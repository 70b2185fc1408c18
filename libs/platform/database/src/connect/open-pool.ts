import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { SessionGuards } from './session-guards.js';
import { isTransient } from './transient-failures.js';

const RETRY_MS = 50;

interface PoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Maximum connections. */
  readonly size: number;
  readonly guards: SessionGuards;
  /** Aborted at a stop: from then on nothing waits for an unreachable server. */
  readonly stopping?: AbortSignal;
  /** Of all pools of one server. */
  readonly contact: ServerContact;
}

/** Whether a pool of this process was ever connected to the server. */
export interface ServerContact {
  made: boolean;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * Once the server was reached, it waits for an unreachable server as long as for a free connection. No statement has
 * been sent by then, so whatever asks for a connection may wait.
 */
export class RetryingPool extends pg.Pool {
  #probing: Promise<void> | null = null;

  constructor(
    config: pg.PoolConfig,
    private readonly contact: ServerContact,
    private readonly stopping?: AbortSignal,
  ) {
    super(config);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release as boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /** For readiness: rejects at once while the server is unreachable. Callers at the same time share one query. */
  async probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => (this.#probing = null));
    await this.#probing;
  }

  async #probe(): Promise<void> {
    const client = await super.connect();
    let broken = true;
    try {
      await client.query('select');
      broken = false;
    } finally {
      client.release(broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + (this.options.connectionTimeoutMillis ?? 0);
    for (;;) {
      try {
        const client = await super.connect();
        this.contact.made = true;
        return client;
      } catch (error) {
        const isOver = this.ending || this.stopping?.aborted === true || performance.now() + RETRY_MS >= deadline;
        if (!this.contact.made || isOver || !isTransient(error)) throw error;
      }
      await delay(RETRY_MS);
    }
  }
}

/** A pool that survives server restarts: broken connections are removed, and the next query reconnects. */
export function openPool({ url, applicationName, size, guards, stopping, contact }: PoolOptions): RetryingPool {
  const config = {
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
  };
  const pool = new RetryingPool(config, contact, stopping);
  // The pool removes a broken idle connection itself, but without a listener its error would end the process.
  pool.on('error', () => undefined);
  // Likewise for a checked-out connection that breaks between queries; its next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Describes a failed connection without the password. */
export function describeFailure(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeFailure).join('; ');
  const { code, address, port } = Object(error) as { code?: unknown; address?: unknown; port?: unknown };
  if (code === 'ECONNREFUSED' && typeof address === 'string') {
    return `nothing listens at ${address.includes(':') ? `[${address}]` : address}:${String(port)} (ECONNREFUSED)`;
  }
  return errorMessage(error);
}
