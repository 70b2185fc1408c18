import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, hashOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { describeOnEachStore } from '../blob-places.fixture.js';
import { multipartBody, requestOf, sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';

describeOnEachStore('an upload', (open) => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  const alice = somebody();
  const bob = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    under = await assetsUnderTest(database.database, {}, undefined, open);
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  /** Rows and files: what a refusal must leave unchanged. */
  const traces = async (): Promise<unknown> => {
    const tables = ['asset', 'blob', 'upload', 'idempotency_key', 'delete_task'];
    const counts = await Promise.all(
      tables.map(async (table) => (await under.pool.query(`select count(*)::int as n from assets.${table}`)).rows[0]),
    );
    return { counts, files: (await under.files()).length };
  };
  const content = async (who: typeof alice, id: string): Promise<Buffer> =>
    buffer(valueOf(await under.assets.bytes(who, id as never)));

  it('of new bytes answers 201 with the server’s hash and the bytes as they came (UP01)', async () => {
    const bytes = randomBytes(3_000_000);
    const { asset, created } = valueOf(
      await under.assets.upload(alice, sampleRequest({ bytes, tags: ['a', 'b', 'a'] })),
    );
    expect(created).toBe(true);
    expect(asset).toMatchObject({
      accountId: alice.accountId,
      hash: hashOf(bytes),
      sizeBytes: bytes.length,
      contentType: 'image/png',
      filePath: 'photo.png',
      tags: ['a', 'b', 'a'],
      expiresAt: null,
      jobId: null,
    });
    expect(asset.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await content(alice, asset.id)).equals(bytes)).toBe(true);
    expect(valueOf(await under.assets.get(alice, asset.id))).toEqual(asset);
  });

  it('of bytes that the account has answers 200 with a record of its own (UP02)', async () => {
    const bytes = randomBytes(1024);
    const first = valueOf(await under.assets.upload(alice, sampleRequest({ bytes })));
    const second = valueOf(await under.assets.upload(alice, sampleRequest({ bytes, filePath: 'other.png' })));
    expect(second.created).toBe(false);
    expect(second.asset.id).not.toBe(first.asset.id);
    expect(second.asset).toMatchObject({ hash: first.asset.hash, filePath: 'other.png' });
  });

  it('reveals nothing of another account’s bytes, which are stored once for both (UP03)', async () => {
    const bytes = randomBytes(1024);
    const first = valueOf(await under.assets.upload(alice, sampleRequest({ bytes, filePath: 'secret.png' })));
    const second = valueOf(await under.assets.upload(bob, sampleRequest({ bytes, filePath: 'mine.png' })));
    expect(second).toMatchObject({ created: true, asset: { filePath: 'mine.png' } });
    expect(second.asset.id).not.toBe(first.asset.id);
    const { rows } = await under.pool.query('select from assets.blob where hash = $1', [first.asset.hash]);
    expect(rows).toHaveLength(1);
    expect(codeOf(await under.assets.get(bob, first.asset.id))).toBe('not_found');
  });

  it('may send its file first, last or empty (UP04, UP12)', async () => {
    const bytes = randomBytes(200_000);
    const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes, fileFirst: true })));
    expect(asset.hash).toBe(hashOf(bytes));
    const empty = valueOf(await under.assets.upload(alice, sampleRequest({ bytes: '' })));
    expect(empty.asset).toMatchObject({ sizeBytes: 0, hash: hashOf('') });
    expect(await content(alice, empty.asset.id)).toHaveLength(0);
  });

  it('reports every missing or wrong field at once, and leaves nothing (UP05, UP08, UP11, UP18)', async () => {
    const before = await traces();
    const wrong: [Parameters<typeof multipartBody>[0], string[]][] = [
      [
        [
          ['file', 'x'],
          ['content_type', 'a/b'],
        ],
        ['file_path'],
      ],
      [
        [
          ['file', 'x'],
          ['file_path', 'p'],
        ],
        ['content_type'],
      ],
      [
        [
          ['content_type', 'a/b'],
          ['file_path', 'p'],
        ],
        ['file'],
      ],
      [[['file', 'x']], ['content_type', 'file_path']],
      [[['tags', '']], ['content_type', 'file', 'file_path', 'tags']],
    ];
    for (const path of ['../x', '/etc/x', 'a/../../x', 'C:\\x', 'a\0b', '']) {
      wrong.push([
        [
          ['content_type', 'a/b'],
          ['file_path', path],
          ['file', randomBytes(100_000)],
        ],
        ['file_path'],
      ]);
    }
    for (const seconds of ['59', '604801', '-1', '0', 'abc', '60.5']) {
      wrong.push([
        [
          ['content_type', 'a/b'],
          ['file_path', 'p'],
          ['expires_in', seconds],
          ['file', 'x'],
        ],
        ['expires_in'],
      ]);
    }
    for (const hash of ['md5:00', 'blake3:00', '']) {
      wrong.push([
        [
          ['file', 'x'],
          ['content_type', 'a/b'],
          ['file_path', 'p'],
          ['expected_hash', hash],
        ],
        ['expected_hash'],
      ]);
    }
    for (const [parts, fields] of wrong) {
      const answer = await under.assets.upload(alice, requestOf(multipartBody(parts), 'unclaimed'));
      expect(codeOf(answer)).toBe('invalid_request');
      expect(answer.ok ? [] : Object.keys(answer.rejection.details?.['fields'] as object).sort()).toEqual(fields);
    }
    expect(await traces()).toEqual(before);
  });

  it('is checked against expected_hash in either letter case; a mismatch leaves nothing (UP06, UP07)', async () => {
    const bytes = randomBytes(100_000);
    const before = await traces();
    const other = await under.assets.upload(alice, sampleRequest({ bytes, expectedHash: hashOf('other') }));
    expect(codeOf(other)).toBe('hash_mismatch');
    expect(await traces()).toEqual(before);
    expect(await under.assets.canMint(alice, hashOf(bytes))).toBe(false);
    const expectedHash = `blake3:${hashOf(bytes).slice(7).toUpperCase()}`;
    expect(codeOf(await under.assets.upload(alice, sampleRequest({ bytes, expectedHash })))).toBe('accepted');
  });

  it('lives as long as expires_in says (UP10)', async () => {
    for (const seconds of [60, 604_800]) {
      const { asset } = valueOf(
        await under.assets.upload(alice, sampleRequest({ bytes: 'x', expiresIn: `${seconds}` })),
      );
      expect(Date.parse(asset.expiresAt!) - Date.parse(asset.createdAt)).toBe(seconds * 1000);
    }
  });

  it('claims its key once it is stored, for 24 hours, and not when it is refused (UP13 to UP15)', async () => {
    const key = 'key-of-alice';
    const mismatch = sampleRequest({ bytes: 'first', idempotencyKey: key, expectedHash: hashOf('second') });
    expect(codeOf(await under.assets.upload(alice, mismatch))).toBe('hash_mismatch');
    const missing = requestOf(multipartBody([['file', 'x']]), key);
    expect(codeOf(await under.assets.upload(alice, missing))).toBe('invalid_request');
    expect(codeOf(await under.assets.upload(alice, sampleRequest({ bytes: 'first', idempotencyKey: key })))).toBe(
      'accepted',
    );

    const before = await traces();
    for (const request of [
      sampleRequest({ bytes: 'first', idempotencyKey: key }),
      sampleRequest({ bytes: 'never stored', idempotencyKey: key }),
      requestOf(multipartBody([]), key),
      { ...sampleRequest({ bytes: 'x', idempotencyKey: key }), contentType: 'application/json' },
    ]) {
      expect(codeOf(await under.assets.upload(alice, request))).toBe('idempotency_key_reuse');
    }
    expect(await traces()).toEqual(before);
    expect(await under.assets.canMint(alice, hashOf('never stored'))).toBe(false);
    expect(codeOf(await under.assets.upload(bob, sampleRequest({ bytes: 'b', idempotencyKey: key })))).toBe('accepted');

    await database.advanceClock(86_400_000 - 60_000);
    expect(codeOf(await under.assets.upload(alice, sampleRequest({ bytes: 'x', idempotencyKey: key })))).toBe(
      'idempotency_key_reuse',
    );
    await database.advanceClock(60_001);
    expect(codeOf(await under.assets.upload(alice, sampleRequest({ bytes: 'x', idempotencyKey: key })))).toBe(
      'accepted',
    );
    await database.advanceClock(-86_400_001);
  });

  it('under one key succeeds once among twenty at a time (UP16)', async () => {
    const uploads = Array.from({ length: 20 }, (_, at) =>
      under.assets.upload(alice, sampleRequest({ bytes: `body ${at}`, idempotencyKey: 'one of twenty' })),
    );
    const codes = (await Promise.all(uploads)).map(codeOf);
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(1);
    expect(codes.filter((code) => code === 'idempotency_key_reuse')).toHaveLength(19);
    const { rows } = await under.pool.query('select count(*)::int as open from assets.upload');
    expect(rows[0]).toEqual({ open: 0 });
  });

  it('is refused when its body is no multipart, breaks off or is too large (UP20, UP21, UP23)', async () => {
    const before = await traces();
    const whole = multipartBody([
      ['content_type', 'a/b'],
      ['file_path', 'p'],
      ['file', randomBytes(300_000)],
    ]);
    const json = { ...requestOf(whole), contentType: 'application/json' };
    const wrongBoundary = { ...requestOf(whole), contentType: 'multipart/form-data; boundary=other' };
    for (const request of [
      json,
      wrongBoundary,
      requestOf(whole.subarray(0, whole.length - 10)),
      requestOf(Buffer.alloc(0)),
    ]) {
      expect(codeOf(await under.assets.upload(alice, request))).toBe('invalid_request');
    }
    const aborted = new PassThrough();
    aborted.write(whole.subarray(0, 200_000));
    setImmediate(() => aborted.destroy(new Error('reset')));
    expect(codeOf(await under.assets.upload(alice, requestOf(aborted)))).toBe('bad_request');
    expect(await traces()).toEqual(before);
  });
});
