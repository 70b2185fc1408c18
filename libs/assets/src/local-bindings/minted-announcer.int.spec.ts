import { text } from 'node:stream/consumers';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';

describe('a listener to new assets', () => {
  const principal = somebody();
  const heard: [id: string, bytes: string][] = [];
  let database: TestDatabase;
  let under: AssetsUnderTest;

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    const onMinted = async ({ id }: { readonly id: string }, open: () => Promise<NodeJS.ReadableStream>) => {
      heard.push([id, await text(await open())]);
    };
    under = await assetsUnderTest(database.database, {}, undefined, undefined, { onMinted });
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  it('has read the bytes of an upload and of a mint before their answers', async () => {
    const { asset } = valueOf(await under.assets.upload(principal, sampleRequest({ bytes: 'an upload' })));
    expect(heard.splice(0)).toEqual([[asset.id, 'an upload']]);
    const request = { hash: asset.hash, filePath: 'other.png', tags: [], expiresIn: null };
    const { asset: minted } = valueOf(await under.assets.mintFromHash(principal, request));
    expect(heard.splice(0)).toEqual([[minted.id, 'an upload']]);
  });

  it('hears nothing of a refused mint', async () => {
    const request = { hash: hashOf('never stored'), filePath: null, tags: [], expiresIn: null };
    expect(codeOf(await under.assets.mintFromHash(principal, request))).not.toBe('accepted');
    expect(heard).toEqual([]);
  });
});
