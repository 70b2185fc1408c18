import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clockOffsetSql } from '@heddle/platform-database';
import pg from 'pg';

type Use<Result> = (client: pg.Client) => Promise<Result>;
interface WithDatabase {
  databaseUrl(): Promise<string>;
}

/** Connects as the owner to the embedded database of a running standalone. */
export async function withDatabase<Result>(dataDir: string, use: Use<Result>): Promise<Result> {
  return await connected(await embeddedDatabaseUrl(dataDir), use);
}

/** Connects as the owner to the database of any Heddle that the suite started. */
export async function withDatabaseOf<Result>(server: WithDatabase, use: Use<Result>): Promise<Result> {
  return await connected(await server.databaseUrl(), use);
}

/** Moves the SQL clock, also for the running service. */
export async function moveClock(server: WithDatabase, ms: number): Promise<void> {
  await withDatabaseOf(server, (client) => client.query(clockOffsetSql(ms)));
}

/** Owner's URL of the embedded database of a running standalone. */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const [password, port] = await Promise.all(
    ['owner-password', 'port'].map(async (file) => (await readFile(join(dataDir, 'postgres', file), 'utf8')).trim()),
  );
  return `postgres://heddle:${password}@127.0.0.1:${port}/heddle`;
}

async function connected<Result>(connectionString: string, use: Use<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
