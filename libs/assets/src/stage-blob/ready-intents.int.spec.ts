import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import type { BlobKey } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { Statement } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../assets-settings.js';
import { ASSETS_MIGRATIONS, ASSETS_ROLE } from '../assets-schema/assets-migrations.js';
import { ReadyIntents } from './ready-intents.js';

/** The real database, which counts the statements and may refuse them. */
class CountedDatabase extends AssetsDatabase {
  statements = 0;
  refuses = false;

  override async query<Row extends Record<string, unknown>>(
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    this.statements += 1;
    if (this.refuses) throw new Error('the database is away');
    return await super.query<Row>(statement, values);
  }
}

describe('intents that are opened ahead of need', () => {
  let server: TestDatabase;
  let database: CountedDatabase;
  let intents: ReadyIntents;

  beforeAll(async () => {
    server = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await server.owner.query('truncate assets.upload');
    database = new CountedDatabase(server.database.pool(ASSETS_ROLE));
    intents = new ReadyIntents(database, new AssetsSettings());
  });
  afterAll(async () => {
    await server.drop();
  });

  const open = async (): Promise<string[]> => {
    const { rows } = await server.owner.query<{ key: string }>('select object_key as key from assets.upload');
    return rows.map(({ key }) => key);
  };

  it('have their row before anybody is given their key, and no key is given twice', async () => {
    const seen = new Set<BlobKey>();
    for (let turn = 0; turn < 40; turn += 1) {
      const key = await intents.take();
      expect(seen.has(key)).toBe(false);
      seen.add(key);
      expect(await open()).toContain(key);
    }
    // Most were there before they were asked for.
    expect(database.statements).toBeLessThan(25);
    await intents.onApplicationShutdown();
  });

  it('serve many takers at once with few statements', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => intents.take()));
    expect(new Set(keys).size).toBe(50);
    expect(await open()).toEqual(expect.arrayContaining(keys));
    expect(database.statements).toBeLessThan(10);
    await intents.onApplicationShutdown();
  });

  it('are closed when nobody takes one for a while, those that were taken are not', async () => {
    const taken = [await intents.take(), await intents.take(), await intents.take()];
    await expect.poll(async () => (await open()).sort(), { timeout: 15_000 }).toEqual([...taken].sort());
    taken.push(await intents.take());
    expect(await open()).toEqual(expect.arrayContaining(taken));
    // It opens more ahead of need, which would be rows of the next test.
    await intents.onApplicationShutdown();
  });

  it('are closed with the service', async () => {
    const taken = [await intents.take(), await intents.take()];
    await intents.onApplicationShutdown();
    expect((await open()).sort()).toEqual([...taken].sort());
  });

  it('fail those who wait for them while the database is away, and nobody afterwards', async () => {
    database.refuses = true;
    await expect(Promise.all([intents.take(), intents.take()])).rejects.toThrow('the database is away');
    database.refuses = false;
    const key = await intents.take();
    expect(await open()).toContain(key);
    await intents.onApplicationShutdown();
  });
});
