import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';
import type pg from 'pg';
import { refuseNewerSchema, SchemaTooNewError } from '../migrate/breaking-steps.js';
import { HEDDLE_SCHEMA } from '../migrate/heddle-schema.js';
import { missingSteps } from '../migrate/missing-steps.js';
import { SchemaTooOldError, type SchemaMigrations } from '../migrate/schema-migrations.js';
import { endPools } from './end-pools.js';
import { describeFailure, openPool } from './open-pool.js';
import type { RetryingPool } from './open-pool.js';
import { PROBE_POOL_SIZE, probeGuards } from './probe-pool.js';
import { READ_POOL_SIZE, readGuards, type PoolUse } from './read-pool.js';
import { sessionGuards, type SessionGuards } from './session-guards.js';
import { isLoginRefused, isTransient } from './transient-failures.js';

export interface ServiceDatabaseOptions {
  /** The service role's own connection string; the owner's is refused. */
  readonly databaseUrl: string;
  /** Where it was set, for messages; default HEDDLE_DATABASE_URL. */
  readonly setting?: string;
  /** The service's schema, its role and the steps that this version needs. */
  readonly service: SchemaMigrations;
  /** Shown in pg_stat_activity together with the role; default `heddle`. */
  readonly applicationName?: string;
  /** Maximum connections, beside those for reads and the one for probes; default 8. */
  readonly poolSize?: number;
  readonly guards?: Partial<SessionGuards>;
  /** Aborts the wait for an unreachable database, at the start without it unlimited. */
  readonly signal?: AbortSignal;
  /** Called with the reason while the database is unreachable, for readiness; with null once it answers. */
  readonly onWaiting?: (why: string | null) => void;
}

/** The connection string is wrong, so waiting does not help; the message names the setting. */
export class DatabaseRefusedError extends Error {}

/** The database does not answer now, and the caller does not wait for it. */
export class DatabaseAwayError extends Error {}

const DEFAULT_SETTING = 'HEDDLE_DATABASE_URL';
/** Also of each role's pool of an owner's `Database`. */
export const DEFAULT_POOL_SIZE = 8;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

/**
 * Connects one service of a cluster with only its role's permissions. Waits while the database is unreachable. Throws
 * at once if waiting cannot help: a wrong URL or password, `SchemaTooOldError` for a schema that lacks a step, or
 * `SchemaTooNewError`.
 */
export async function connectService(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const { service, signal, onWaiting, setting = DEFAULT_SETTING } = options;
  const role = roleOf(service);
  const database = new ServiceDatabase(options);
  try {
    for (let failures = 0; ; failures += 1) {
      try {
        const missing = await missingSteps(database.pool(role), service);
        if (missing.length > 0) throw new SchemaTooOldError(missing);
        await refuseNewerSchema(database.pool(role), [HEDDLE_SCHEMA, service]);
        onWaiting?.(null);
        return database;
      } catch (error) {
        if (error instanceof SchemaTooOldError || error instanceof SchemaTooNewError) throw error;
        const why = describeFailure(error);
        if (!isAway(error))
          throw new DatabaseRefusedError(`${setting} cannot be used: ${why}${hintOf(error)}`, {
            cause: error,
          });
        onWaiting?.(`the database of ${setting} is unreachable: ${why}`);
        await delay(
          backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS),
          undefined,
          signal === undefined ? {} : { signal },
        );
      }
    }
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** One role's pool on a cluster's database. */
export class ServiceDatabase {
  readonly #pool: RetryingPool;
  readonly #reads: pg.Pool;
  readonly #probes: RetryingPool;
  readonly #role: string;
  readonly #setting: string;

  constructor({ service, applicationName, poolSize, guards, signal, ...from }: ServiceDatabaseOptions) {
    this.#role = roleOf(service);
    this.#setting = from.setting ?? DEFAULT_SETTING;
    const url = checkedUrl(from.databaseUrl, this.#role, this.#setting);
    const name = `${applicationName ?? 'heddle'}:${this.#role}`;
    const checked = sessionGuards(guards ?? {});
    const size = poolSize ?? DEFAULT_POOL_SIZE;
    const contact = { made: false };
    this.#pool = openPool({ url, applicationName: name, size, guards: checked, stopping: signal, contact });
    const reads = { size: READ_POOL_SIZE, guards: readGuards(checked) };
    this.#reads = openPool({ url, applicationName: `${name}:reads`, ...reads, stopping: signal, contact });
    const probes = { size: PROBE_POOL_SIZE, guards: probeGuards(checked) };
    this.#probes = openPool({ url, applicationName: `${name}:probe`, ...probes, stopping: signal, contact });
  }

  /** There is only one role; asking for another is a programming error. Connections open on demand. */
  pool(role: string, use: PoolUse = 'writes'): pg.Pool {
    if (role !== this.#role) throw new Error(`This service connects as ${this.#role} only, not as ${role}.`);
    return use === 'reads' ? this.#reads : this.#pool;
  }

  /** For readiness: null while the database answers, otherwise the reason. */
  async probe(): Promise<string | null> {
    try {
      await this.#probes.probe();
      return null;
    } catch (error) {
      return `the database of ${this.#setting} does not answer: ${describeFailure(error)}`;
    }
  }

  async close(): Promise<void> {
    await endPools([this.#pool, this.#reads, this.#probes]);
  }
}

function roleOf({ schema, role }: SchemaMigrations): string {
  if (role === undefined) throw new Error(`The schema ${schema} has no service role.`);
  return role;
}

function checkedUrl(text: string, role: string, setting: string): string {
  const form = `postgres://${role}:<password>@<host>:<port>/<database>`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new DatabaseRefusedError(`${setting} is not a connection string; expected ${form}.`);
  }
  const user = decodeURIComponent(url.username);
  if (user === role) return url.href;
  throw new DatabaseRefusedError(
    `${setting} names the role ${user || '(none)'}; this service connects only as ${role}, with its ` +
      `permissions. Expected ${form}; "heddle migrate --help" says where to get it.`,
  );
}

/** Refused, unreachable, starting or out of connections: it may come back. The driver's own time-outs have no code. */
export function isAway(error: unknown): boolean {
  return isTransient(error) && !/password|authentication/i.test(describeFailure(error));
}

function hintOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? '';
  if (isLoginRefused(error)) return ' (is the password the one that "heddle migrate" gave the role?)';
  return code === '3D000' ? ' (its last part names the database)' : '';
}
