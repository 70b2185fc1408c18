import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { assetsUnderTest, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';

describe('names near a misspelt one', () => {
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

  it('are paths of live records of the account, the ones before and behind it', async () => {
    for (const path of ['cat.png', 'cats.png', 'dog.png']) await upload(path, path);
    const { id } = await upload('deleted', 'catt.png');
    valueOf(await under.assets.delete(alice, id));
    expect([...(await under.assets.nearNames(alice, 'catr.png'))].sort()).toEqual(['cat.png', 'cats.png', 'dog.png']);
    expect(await under.assets.nearNames(somebody(), 'catr.png')).toEqual([]);
  });

  it.each(['a\0b', '\ud800'])('are none for %j, which no path can be', async (name) => {
    await upload('there', 'a.png');
    expect(await under.assets.nearNames(alice, name)).toEqual([]);
  });
});
