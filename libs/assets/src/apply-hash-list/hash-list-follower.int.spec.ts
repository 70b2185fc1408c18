import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { ModerateHashHandler } from '../moderate-hash/moderate-hash.handler.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { HashListFollower } from './hash-list-follower.js';
import { MAX_LIST_BYTES } from './read-hash-list.js';

describe('the list of blocked hashes', () => {
  let database: TestDatabase;
  let folder: string;
  let path: string;
  let under: AssetsUnderTest;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    folder = await mkdtemp(join(tmpdir(), 'heddle-hash-list-'));
    path = join(folder, 'hashes.txt');
    under = await assetsUnderTest(database.database, { moderationHashes: path, moderationLookMs: 0 });
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const found = async (hash: string) => valueOf(await under.get(ModerateHashHandler).verdict(hash));
  const look = async (): Promise<void> => await under.get(HashListFollower).look();

  it('blocks bytes that were uploaded before and bytes that come later, by lines in any form', async () => {
    await look();
    const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes: 'listed later' })));
    const later = hashOf('uploaded later');
    await writeFile(path, `\uFEFF# a comment\r\n\r\n  ${asset.hash} \r\nnonsense\n${later.toUpperCase()}\n${later}`);
    await look();
    expect(await found(asset.hash)).toMatchObject({ blocked: true, source: 'hashes' });
    expect(codeOf(await under.assets.content(alice, asset.id))).toBe('not_found');
    expect(codeOf(await under.assets.upload(alice, sampleRequest({ bytes: 'uploaded later' })))).toBe('input_blocked');
  });

  it('is applied again when it changes; a removed line leaves the verdict', async () => {
    const [one, two] = [hashOf('line one'), hashOf('line two')];
    await writeFile(path, `${one}\n`);
    await look();
    await writeFile(path, `${two}\n`);
    await look();
    expect([await found(one), await found(two)]).toMatchObject([{ blocked: true }, { blocked: true }]);
    await under.get(ModerateHashHandler).handle(one, 'unblock');
    await writeFile(path, `${one}\n${two}\n`);
    await look();
    expect(await found(one)).toMatchObject({ blocked: false, source: 'admin' });
  });

  it('changes nothing while it is missing, a folder or too large, and works afterwards', async () => {
    await rm(path);
    await look();
    await writeFile(path, '');
    await truncate(path, MAX_LIST_BYTES + 1);
    await look();
    await writeFile(path, hashOf('at last'));
    await look();
    expect(await found(hashOf('at last'))).toMatchObject({ blocked: true });
  });

  it('blocks thousands of hashes by itself, soon after the file was written', async () => {
    const many = Array.from({ length: 2_500 }, (_, at) => hashOf(`one of many ${at}`));
    const following = await assetsUnderTest(database.database, { moderationHashes: path, moderationLookMs: 50 });
    await writeFile(path, many.join('\n'));
    await expect.poll(async () => (await found(many.at(-1)!)).blocked, { timeout: 5_000 }).toBe(true);
    expect((await found(many[0]!)).blocked).toBe(true);
    await following.end();
  });
});
