import { inTransaction } from '@heddle/platform-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from './fresh-database.js';
import type { TestDatabase } from './fresh-database.js';

describe('a transaction', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await freshDatabase({ migrations: [] });
    await db.owner.query('create table public.line (text text primary key)');
  });
  afterAll(async () => {
    await db.drop();
  });
  const lines = async (): Promise<readonly string[]> =>
    (await db.owner.query<{ text: string }>('select text from public.line')).rows.map(({ text }) => text);
  const write = (text: string) => ({ text: 'insert into public.line values ($1)', values: [text] });

  it('returns the value of its work once that is committed', async () => {
    const value = await inTransaction(db.owner, async (client) => {
      await client.query(write('kept'));
      return 7;
    });
    expect([value, await lines()]).toEqual([7, ['kept']]);
  });

  it('leaves nothing if its work throws, also if a statement fails, and the pool goes on', async () => {
    const failing = inTransaction(db.owner, async (client) => {
      await client.query(write('lost'));
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    const repeated = inTransaction(db.owner, async (client) => {
      await client.query(write('lost'));
      await client.query(write('kept'));
    });
    await expect(repeated).rejects.toMatchObject({ code: '23505' });
    expect(await lines()).toEqual(['kept']);
  });
});
