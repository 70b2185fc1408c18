import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { assetsUnderTest, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';

describe('the check of a hash', () => {
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

  it('is true for the account that has a live record over the bytes alone', async () => {
    const { id, hash } = await upload('mine');
    expect(await under.assets.canMint(alice, hash)).toBe(true);
    expect(await under.assets.canMint(somebody(), hash)).toBe(false);
    expect(await under.assets.canMint(alice, hashOf('unknown'))).toBe(false);
    for (const malformed of ['', hash.toUpperCase(), hash.slice(0, -1), `${hash}\0`])
      expect(await under.assets.canMint(alice, malformed)).toBe(false);
    valueOf(await under.assets.delete(alice, id));
    expect(await under.assets.canMint(alice, hash)).toBe(false);
  });

  it('is false while the bytes are blocked or damaged', async () => {
    const [blocked, damaged] = [await upload('blocked'), await upload('damaged')];
    await under.get(ModerateHashHandler).handle(blocked.hash, 'block');
    await database.owner.query('update assets.blob set damaged_at = now() where hash = $1', [damaged.hash]);
    expect([await under.assets.canMint(alice, blocked.hash), await under.assets.canMint(alice, damaged.hash)]).toEqual([
      false,
      false,
    ]);
  });
});
