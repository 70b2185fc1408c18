import { createHash, randomBytes } from 'node:crypto';
import {
  clockOffsetSql,
  connectDatabase,
  HEDDLE_SCHEMA,
  migrate,
  type Database,
  type SchemaMigrations,
} from '@heddle/platform-database';
import pg from 'pg';
import { SharedServer } from './shared-server.js';

export interface FreshDatabaseOptions {
  /** The schemas that the tests need; one template is kept between runs for each distinct set. */
  readonly migrations?: readonly SchemaMigrations[];
  readonly poolSizes?: Readonly<Record<string, number>>;
}

/** A separate database for one test file. */
export interface TestDatabase {
  readonly database: Database;
  /** Contains the owner's password. */
  readonly ownerUrl: string;
  readonly owner: pg.Pool;
  pool(role: string): pg.Pool;
  /** Moves the database's clock forward (or back) by this much; every later statement sees it. */
  advanceClock(ms: number): Promise<void>;
  /** Closes the pools and drops the database. */
  drop(): Promise<void>;
}

const TEMPLATE_LOCK = 7_236_103;
let shared: SharedServer | undefined;

/** Makes sure that the shared server runs; returns the owner's connection string of its `postgres` database. */
export async function sharedServerUrl(): Promise<string> {
  shared ??= new SharedServer();
  return await shared.url();
}

export async function freshDatabase(options: FreshDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = await sharedServerUrl();
  const migrations = options.migrations ?? [];
  const name = `fresh_${process.pid}_${randomBytes(5).toString('hex')}`;
  const database = await migratedDatabase(serverUrl, name, migrations, options.poolSizes);
  let offsetMs = 0;
  return {
    database,
    ownerUrl: database.ownerUrl,
    owner: database.ownerPool,
    pool: (role) => database.pool(role),
    advanceClock: async (ms) => {
      offsetMs += ms;
      await database.ownerPool.query(clockOffsetSql(offsetMs));
    },
    drop: async () => {
      await database.close();
      await withClient(serverUrl, async (client) => await client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** A new database with these schemas, copied from a template on the server; its connections are open. */
export async function migratedDatabase(
  serverUrl: string,
  name: string,
  migrations: readonly SchemaMigrations[],
  poolSizes: Readonly<Record<string, number>> = {},
): Promise<Database> {
  await withClient(serverUrl, async (client) => {
    const template = await templateFor(client, serverUrl, migrations);
    // Half the time of the default, which writes every page of the copy to the log.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return await connectDatabase({ databaseUrl: urlOf(serverUrl, name), applicationName: 'test', poolSizes });
}

/** The name is a digest of everything that defines the template, so a changed migration creates a new one. */
async function templateFor(
  client: pg.Client,
  serverUrl: string,
  migrations: readonly SchemaMigrations[],
): Promise<string> {
  const name = `template_${createHash('sha256')
    .update(JSON.stringify([HEDDLE_SCHEMA, ...migrations]))
    .digest('hex')
    .slice(0, 20)}`;
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const draft = `fresh_draft_${process.pid}`;
      await client.query(`drop database if exists ${draft} with (force)`);
      await client.query(`create database ${draft}`);
      const database = await connectDatabase({ databaseUrl: urlOf(serverUrl, draft) });
      try {
        await migrate(database, migrations);
      } finally {
        await database.close();
      }
      await client.query(`alter database ${draft} rename to ${name}`);
    }
    return name;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
