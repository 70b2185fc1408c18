import { isConnectionLoss, isOutage } from '@heddle/platform-database';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, type TestDatabase } from './index.js';

describe('a connection that the server ends while it is lent', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase({ migrations: [] });
  });
  afterAll(async () => {
    await database.drop();
  });

  /** A lent connection whose end the driver has noticed. */
  const ended = async (pool: pg.Pool): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    const noticed = new Promise((done) => client.once('error', done));
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await database.owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await noticed;
    return client;
  };

  it('is a lost connection to a statement that is sent afterwards', async () => {
    const client = await ended(database.owner);
    const failure: unknown = await client.query('select 1').catch((error: unknown) => error);
    client.release(true);
    expect(failure).toBeInstanceOf(Error);
    expect({ loss: isConnectionLoss(failure), outage: isOutage(failure) }, String(failure)).toEqual({
      loss: true,
      outage: true,
    });
  });
});
