import { randomUUID } from 'node:crypto';
import { connectDatabase, migrate } from '@heddle/platform-database';
import type { SchemaMigrations, Database } from '@heddle/platform-database';
import pg from 'pg';

/** A database of one measure, on the floors' server. */
export interface BenchDatabase {
  readonly database: Database;
  readonly url: string;
  /** Closes its connections and drops it. */
  drop(): Promise<void>;
}

/** `role`: of the context whose tables it gets, with as many connections as a service has. */
export async function benchDatabase(
  serverUrl: string,
  migrations: SchemaMigrations,
  role: string,
): Promise<BenchDatabase> {
  const name = `bench_${randomUUID().slice(0, 8)}`;
  const admin = new pg.Client(serverUrl);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await connectDatabase({ databaseUrl: url.href, poolSizes: { [role]: 8 } });
  await migrate(database, [migrations]);
  return {
    database,
    url: url.href,
    drop: async () => {
      await database.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}
