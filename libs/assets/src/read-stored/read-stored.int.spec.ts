import { text } from 'node:stream/consumers';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';

describe('the bytes of a signed URL', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  const alice = somebody();
  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database);
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });
  const upload = async (bytes: string, filePath?: string) =>
    valueOf(await under.assets.upload(alice, sampleRequest({ bytes, ...(filePath === undefined ? {} : { filePath }) })))
      .asset;

  const keyOf = async (hash: string): Promise<string> =>
    (await database.owner.query<{ object_key: string }>('select object_key from assets.blob where hash = $1', [hash]))
      .rows[0]!.object_key;

  it('are read although the record was deleted', async () => {
    const { id, hash } = await upload('0123456789');
    const key = await keyOf(hash);
    valueOf(await under.assets.delete(alice, id));
    expect(valueOf(await under.assets.stored(key))).toEqual({ hash, sizeBytes: 10 });
    expect(await text(valueOf(await under.assets.storedBytes(key, { start: 8, end: 9 })))).toBe('89');
  });

  it('are refused once they are blocked or damaged, and for a key that names none', async () => {
    const [blocked, damaged] = [await upload('blocked'), await upload('damaged')];
    const keys = [await keyOf(blocked.hash), await keyOf(damaged.hash), 'nonsense'];
    await under.get(ModerateHashHandler).handle(blocked.hash, 'block');
    await database.owner.query('update assets.blob set damaged_at = now() where hash = $1', [damaged.hash]);
    for (const read of ['stored', 'storedBytes'] as const) {
      const codes = [];
      for (const key of keys) codes.push(codeOf(await under.assets[read](key)));
      expect(codes).toEqual(['forbidden', 'upstream_error', 'forbidden']);
    }
  });
});
