import { text } from 'node:stream/consumers';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';

describe('the content of a record', () => {
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

  it('is read whole or in a range, by its account alone', async () => {
    const { id } = await upload('0123456789');
    expect(valueOf(await under.assets.content(alice, id))).toMatchObject({ id, sizeBytes: 10 });
    expect(await text(valueOf(await under.assets.bytes(alice, id)))).toBe('0123456789');
    expect(await text(valueOf(await under.assets.bytes(alice, id, { start: 2, end: 4 })))).toBe('234');
    for (const answer of [await under.assets.content(somebody(), id), await under.assets.bytes(somebody(), id)])
      expect(codeOf(answer)).toBe('not_found');
  });

  it('is not found once it is blocked, and is never served once it is damaged', async () => {
    const [blocked, damaged] = [await upload('blocked'), await upload('damaged')];
    await under.get(ModerateHashHandler).handle(blocked.hash, 'block');
    await database.owner.query('update assets.blob set damaged_at = now() where hash = $1', [damaged.hash]);
    for (const read of ['content', 'bytes'] as const) {
      expect(codeOf(await under.assets[read](alice, blocked.id))).toBe('not_found');
      expect(codeOf(await under.assets[read](alice, damaged.id))).toBe('upstream_error');
    }
  });
});
