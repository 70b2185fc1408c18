import { resolve } from 'node:path';
import { dataFolderFailure } from '../embedded/data-folder.js';
import { EmbeddedPostgres } from '../embedded/embedded-postgres.js';
import type { ServerNotice } from '../embedded/server-notice.js';
import { DatabaseAwayError, DatabaseRefusedError, DEFAULT_POOL_SIZE, isAway } from './connect-service.js';
import type pg from 'pg';
import { endPools } from './end-pools.js';
import { describeFailure, openPool } from './open-pool.js';
import type { RetryingPool, ServerContact } from './open-pool.js';
import { PROBE_POOL_SIZE, probeGuards } from './probe-pool.js';
import { READ_POOL_SIZE, readGuards, type PoolUse } from './read-pool.js';
import { rolePassword } from './role-password.js';
import { sessionGuards, type SessionGuards } from './session-guards.js';

interface DatabaseOptions {
  /** The owner's connection string (HEDDLE_DATABASE_URL). Unset: the embedded server under `dataDir`. */
  readonly databaseUrl?: string;
  /** HEDDLE_DATA; required without `databaseUrl`. */
  readonly dataDir?: string;
  /** Shown in pg_stat_activity together with the role; default `heddle`. */
  readonly applicationName?: string;
  /** Passwords of roles that are not derived from the owner's. */
  readonly rolePasswords?: Readonly<Record<string, string>>;
  /** Maximum connections of the pool of each role; default 8. */
  readonly poolSize?: number;
  /** Of single roles. */
  readonly poolSizes?: Readonly<Record<string, number>>;
  readonly guards?: Partial<SessionGuards>;
  readonly onNotice?: (notice: ServerNotice) => void;
  /** Aborted at a stop: from then on no query waits for an unreachable server. */
  readonly stopping?: AbortSignal;
}

/** Suffixes of a pool's name, also in `pg_stat_activity`. */
const READS = ':reads';
const PROBE = ':probe';
const OWNER = 'owner';
const EXAMPLE = 'postgres://heddle:<password>@127.0.0.1:5432/heddle';

/** Starts the embedded server if no URL is configured, and verifies that the owner can connect. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl !== undefined && options.databaseUrl !== '') {
    const database = new Database(options.databaseUrl, options, undefined);
    try {
      await database.ownerPool.query('select');
    } catch (error) {
      await database.close();
      throw refusedOwner(error);
    }
    return database;
  }
  if (options.dataDir === undefined) throw new Error('Neither HEDDLE_DATABASE_URL nor a data directory is set.');
  try {
    return await connectEmbedded(options, options.dataDir);
  } catch (error) {
    throw dataFolderFailure(resolve(options.dataDir), error) ?? error;
  }
}

async function connectEmbedded(options: DatabaseOptions, dataDir: string): Promise<Database> {
  let opened: Database | undefined;
  const server = new EmbeddedPostgres({
    dataDir,
    onNotice: (notice) => {
      if (notice.kind === 'restarted') opened?.moveTo(server.url);
      options.onNotice?.(notice);
    },
  });
  await server.start();
  opened = new Database(server.url, options, server);
  return opened;
}

function refusedOwner(error: unknown): Error {
  const why = `The database of HEDDLE_DATABASE_URL cannot be used: ${describeFailure(error)}.`;
  return isAway(error)
    ? new DatabaseAwayError(`${why} Start it, or correct the URL.`, { cause: error })
    : new DatabaseRefusedError(`${why} Correct the URL.`, { cause: error });
}

/** One PostgreSQL database and this process's pools on it. Pools survive server restarts: the next query reconnects. */
export class Database {
  readonly #pools = new Map<string, RetryingPool>();
  readonly #contact: ServerContact;
  #url: URL;

  constructor(
    ownerUrl: string,
    private readonly options: DatabaseOptions,
    /** Undefined for a server that Heddle does not run. */
    readonly server: EmbeddedPostgres | undefined,
  ) {
    this.#contact = { made: server !== undefined };
    if (!URL.canParse(ownerUrl))
      throw new DatabaseRefusedError(`HEDDLE_DATABASE_URL is not a URL, such as ${EXAMPLE}.`);
    this.#url = new URL(ownerUrl);
    this.#url.password ||= encodeURIComponent(process.env['PGPASSWORD'] ?? '');
    if (this.#url.password === '') {
      throw new DatabaseRefusedError(
        `HEDDLE_DATABASE_URL has no password: the passwords of the service roles are derived from it. An example is ${EXAMPLE}.`,
      );
    }
  }

  /** Contains the owner's password: never log it. */
  get ownerUrl(): string {
    return this.#url.href;
  }

  /** For migrations and role set-up only; no statement timeout. */
  get ownerPool(): pg.Pool {
    return this.#pool(OWNER, this.ownerUrl, 2, {
      ...sessionGuards({}),
      statementTimeoutMs: 0,
      queryTimeoutMs: 0,
      lockTimeoutMs: 60_000,
    });
  }

  /** The pool of a service role, created on first use and closed by `close`. */
  pool(role: string, use: PoolUse = 'writes'): pg.Pool {
    const guards = sessionGuards(this.options.guards ?? {});
    if (use === 'reads') return this.#pool(`${role}${READS}`, this.roleUrl(role), READ_POOL_SIZE, readGuards(guards));
    const size = this.options.poolSizes?.[role] ?? this.options.poolSize ?? DEFAULT_POOL_SIZE;
    return this.#pool(role, this.roleUrl(role), size, guards);
  }

  /** For readiness: rejects at once while the server is unreachable. */
  async probe(role: string): Promise<void> {
    const guards = probeGuards(sessionGuards(this.options.guards ?? {}));
    await this.#pool(`${role}${PROBE}`, this.roleUrl(role), PROBE_POOL_SIZE, guards).probe();
  }

  /** The HEDDLE_DATABASE_URL for a service of this role; contains its password. */
  roleUrl(role: string): string {
    const url = new URL(this.#url);
    url.username = role;
    url.password = encodeURIComponent(this.rolePassword(role));
    return url.href;
  }

  rolePassword(role: string): string {
    return this.options.rolePasswords?.[role] ?? rolePassword(decodeURIComponent(this.#url.password), role);
  }

  /** The embedded server may restart on another port. */
  moveTo(ownerUrl: string): void {
    this.#url = new URL(ownerUrl);
    for (const [name, pool] of this.#pools) {
      pool.options.connectionString = name === OWNER ? this.ownerUrl : this.roleUrl(name.split(':', 1)[0]!);
    }
  }

  /** Ends the pools; an embedded server then ends the sessions that are still in use. */
  async close(): Promise<void> {
    await endPools(this.#pools.values());
    this.#pools.clear();
    await this.server?.stop();
  }

  #pool(role: string, url: string, size: number, guards: SessionGuards): RetryingPool {
    const known = this.#pools.get(role);
    if (known) return known;
    const applicationName = `${this.options.applicationName ?? 'heddle'}:${role}`;
    const pool = openPool({
      url,
      applicationName,
      size,
      guards,
      stopping: this.options.stopping,
      contact: this.#contact,
    });
    this.#pools.set(role, pool);
    return pool;
  }
}
