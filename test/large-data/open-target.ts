import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { JOBS_MIGRATIONS } from '@heddle/jobs';
import { DataFolderInUseError, EmbeddedPostgres, PostgresServer } from '@heddle/platform-database';
import type { SchemaMigrations } from '@heddle/platform-database';
import pg from 'pg';

/** The database cannot be used: a sentence for the user, and the exit code */
export class TargetRefused extends Error {
  /** 1: unsuitable database; 2: wrong usage; 3: unreachable */
  readonly exitCode: 1 | 2 | 3;

  constructor(message: string, exitCode: 1 | 2 | 3) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Target {
  /** The owner's connection string. */
  readonly url: string;
  /** True if a service runs on the database, which sequences and publishes the events */
  readonly isServed: boolean;
  close(): Promise<void>;
}

/** Opens the database at HEDDLE_DATABASE_URL, or the embedded one in HEDDLE_DATA, with or without a running service. */
export async function openTarget(env: NodeJS.ProcessEnv): Promise<Target> {
  const { url, close } = await located(env);
  try {
    return { url, isServed: await examine(url), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const NOTHING = (): Promise<void> => Promise.resolve();

async function located(env: NodeJS.ProcessEnv): Promise<Omit<Target, 'isServed'>> {
  const given = env['HEDDLE_DATABASE_URL'] ?? '';
  if (given !== '') {
    if (!URL.canParse(given))
      throw new TargetRefused(
        'HEDDLE_DATABASE_URL is not a valid URL; for example postgres://heddle@127.0.0.1:5432/heddle',
        2,
      );
    return { url: given, close: NOTHING };
  }
  const folder = env['HEDDLE_DATA'] ?? '';
  if (folder === '')
    throw new TargetRefused('no target; set HEDDLE_DATA to a data folder or HEDDLE_DATABASE_URL to a database', 2);
  const dataDir = resolve(folder);
  if (!existsSync(join(dataDir, 'postgres')))
    throw new TargetRefused(
      `${dataDir} holds no data of Heddle; start Heddle on it once: HEDDLE_DATA=${dataDir} npm start`,
      1,
    );
  const server = new PostgresServer({ dataDir });
  const live = server.running();
  if (live?.status === 'ready') return { url: server.url(live.port, 'heddle'), close: NOTHING };
  const embedded = new EmbeddedPostgres({ dataDir, bulkLoad: true });
  try {
    await embedded.start();
  } catch (error) {
    if (error instanceof DataFolderInUseError)
      throw new TargetRefused(`Heddle is just starting or stopping on ${dataDir}; try again in a moment`, 3);
    throw new TargetRefused(`the database in ${dataDir} cannot be started: ${messageOf(error)}`, 1);
  }
  const { url } = embedded;
  const close = async (): Promise<void> => {
    await checkpoint(url);
    await embedded.stop();
  };
  return { url, close };
}

/** A stop has seconds, and a server that is killed in its last checkpoint replays all of the load at its next start. */
async function checkpoint(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url, application_name: 'heddle-large-data' });
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    await owner.query('checkpoint');
  } finally {
    await owner.end();
  }
}

/** Refuses a database that is not of this version of Heddle. Resolves with true if a service runs on it. */
async function examine(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'heddle-large-data',
  });
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new TargetRefused(
      `the database cannot be reached: ${messageOf(error)}; check HEDDLE_DATABASE_URL or HEDDLE_DATA`,
      3,
    );
  }
  try {
    const ask = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(sql, values)).rows;
    const [{ found }] = (await ask<{ found: boolean }>(
      `select count(*) = 3 as found from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where (n.nspname, c.relname) in (('heddle', 'migration'), ('jobs', 'event'), ('assets', 'asset'))`,
    )) as [{ found: boolean }];
    if (!found)
      throw new TargetRefused('this database is not one of Heddle: it has no event log; check HEDDLE_DATABASE_URL', 1);
    const [{ owned }] = (await ask<{ owned: boolean }>(
      `select bool_and(pg_has_role(nspowner, 'member')) as owned from pg_namespace where nspname in ('jobs', 'assets')`,
    )) as [{ owned: boolean }];
    if (!owned)
      throw new TargetRefused(
        "this role may not write here; HEDDLE_DATABASE_URL must be the owner's, as for heddle migrate",
        1,
      );
    const services = [JOBS_MIGRATIONS, ASSETS_MIGRATIONS];
    const steps = await ask<{ step: string }>('select heddle.applied_steps($1) as step', [
      services.map(({ schema }) => schema),
    ]);
    refuseOtherVersion(services, new Set(steps.map(({ step }) => step)));
    const [{ served }] = (await ask<{ served: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and usename in ('heddle_jobs', 'heddle_assets')) as served`,
    )) as [{ served: boolean }];
    return served;
  } finally {
    await client.end();
  }
}

function refuseOtherVersion(services: readonly SchemaMigrations[], applied: ReadonlySet<string>): void {
  const known = services.flatMap(({ schema, migrations }) => migrations.map(({ name }) => `${schema}/${name}`));
  const missing = known.filter((step) => !applied.has(step));
  const newer = [...applied].filter((step) => !known.includes(step));
  if (missing.length > 0)
    throw new TargetRefused(
      `the schema is older than this version of Heddle: ${missing.join(', ')} missing; run heddle migrate, or start Heddle on it once`,
      1,
    );
  if (newer.length > 0)
    throw new TargetRefused(
      `the schema is newer than this version of Heddle: ${newer.join(', ')} is not known here; use the version that made it`,
      1,
    );
}

function messageOf(error: unknown): string {
  return error instanceof AggregateError
    ? error.errors.map(messageOf).join('; ')
    : error instanceof Error
      ? error.message
      : String(error);
}
