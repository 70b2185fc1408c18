import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clockOffsetSql } from '@heddle/platform-database';
import pg from 'pg';

/** A connection as the owner to the embedded database of a running standalone. */
export async function withDatabase<Result>(
  dataDir: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const [password, port] = await Promise.all(
    ['owner-password', 'port'].map(async (file) => (await readFile(join(dataDir, 'postgres', file), 'utf8')).trim()),
  );
  const client = new pg.Client({ host: '127.0.0.1', port: Number(port), user: 'heddle', database: 'heddle', password });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Moves the clock that all SQL reads, for the running service too. */
export async function moveClock(dataDir: string, ms: number): Promise<void> {
  await withDatabase(dataDir, (client) => client.query(clockOffsetSql(ms)));
}
