import { blake3Of, codeOf, expectStatus, freshBytes, jsonOf, withoutUrlExpiry } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectInvalidField, expectRefusal, msBetween } from './expectations.js';
import { useServer } from './server.js';

describe('POST /api/v2/assets/from-hash', () => {
  const server = useServer();
  const unknown = blake3Of(freshBytes());

  it('mints a new asset over a blob already held and answers 201 (from-hash, 201) [FH06]', async () => {
    const bytes = freshBytes();
    const first = await server.client.uploaded({ bytes, content_type: 'image/png' });
    const answer = expectStatus(await server.client.fromHash({ hash: first.hash, file_path: 'new.png' }), 201);
    const asset = jsonOf<Asset>(answer);
    expect(asset).toMatchObject({
      size_bytes: bytes.length,
      hash: first.hash,
      file_path: 'new.png',
      created_new: false,
    });
    expect(asset.id).not.toBe(first.id);
    expect((await server.client.content(asset.id)).bytes.equals(bytes)).toBe(true);
  });

  it('answers 200 and the asset as it is where an identical reference exists (from-hash, 200) [FH07]', async () => {
    const { hash } = await server.client.uploaded();
    const body = { hash, file_path: 'same.png', tags: ['a', 'b'] };
    const first = jsonOf<Asset>(expectStatus(await server.client.fromHash(body), 201));
    const second = jsonOf<Asset>(expectStatus(await server.client.fromHash(body), 200));
    expect(withoutUrlExpiry({ ...second, created_new: null })).toEqual(
      withoutUrlExpiry({ ...first, created_new: null }),
    );
    const reordered = await server.client.fromHash({ ...body, tags: ['b', 'a'] });
    expect(jsonOf<Asset>(expectStatus(reordered, 200)).id).toBe(first.id);
  });

  it('takes another path or other tags for another reference (decisions, Identical reference) [FH08]', async () => {
    const { hash } = await server.client.uploaded();
    const bodies = [
      { hash, file_path: 'a.png' },
      { hash, file_path: 'b.png' },
      { hash, file_path: 'a.png', tags: ['x'] },
    ];
    const ids = new Set<string>();
    for (const body of bodies) ids.add(jsonOf<Asset>(expectStatus(await server.client.fromHash(body), 201)).id);
    expect(ids.size).toBe(3);
  });

  it('extends an identical reference by a longer expires_in and never shortens it (decisions, Identical reference) [AS12]', async () => {
    const { hash } = await server.client.uploaded();
    const mint = async (expires_in?: number): Promise<Asset> =>
      jsonOf<Asset>(expectStatus(await server.client.fromHash({ hash, file_path: 'kept.png', expires_in }), 200, 201));
    const first = await mint(3600);
    const shorter = await mint(60);
    expect(shorter).toMatchObject({ id: first.id, expires_at: first.expires_at });
    const longer = await mint(7200);
    expect(longer.id).toBe(first.id);
    expect(msBetween(first.expires_at, longer.expires_at)).toBeGreaterThan(3_500_000);
  });

  it("takes the path of the account's newest asset over the blob where none is given (decisions, file_path absent)", async () => {
    const { hash } = await server.client.uploaded({ file_path: 'older.png' });
    expectStatus(await server.client.fromHash({ hash, file_path: 'newest.png' }), 201);
    const answer = await server.client.fromHash({ hash, tags: ['other'] });
    expect(jsonOf<Asset>(expectStatus(answer, 201)).file_path).toBe('newest.png');
  });

  it('answers 404 blob_not_found to a hash that nothing has (Errors, blob_not_found) [FH09]', async () => {
    expectRefusal(await server.client.fromHash({ hash: unknown, file_path: 'x.png' }), 404, 'blob_not_found');
    expectRefusal(await server.client.fromHash({ hash: unknown }), 404, 'blob_not_found');
  });

  it.each([undefined, null, 7, {}, [], 'abc', 'md5:00', `blake3:${'A'.repeat(64)}`, `blake3:${'0'.repeat(63)}`, ' '])(
    'answers 422 to the hash %j (decisions, Hash on input) [FH11]',
    async (hash) => {
      expectInvalidField(await server.client.fromHash({ hash, file_path: 'x.png' }), 'hash');
    },
  );

  it.each(['', '{', '[]', 'null', '"blake3:00"', '7', '{"hash":"x"', '{"hash":1,"hash":2}', '\ufeff', '{"a":\u0001}'])(
    'answers 422 to the body %j [FH11]',
    async (body) => void expectRefusal(await server.client.fromHash(body), 422, 'invalid_request'),
  );

  it.each([59, 604_801, -1, 0, 60.5, '3600', null, true, 1e300])(
    'answers 422 to expires_in %j (Limits, expires_in) [FH12]',
    async (expires_in) => {
      const { hash } = await server.client.uploaded();
      const answer = await server.client.fromHash({ hash, file_path: 'x.png', expires_in });
      if (expires_in === null) expect([200, 201, 422]).toContain(answer.status);
      else expectInvalidField(answer, 'expires_in');
    },
  );

  it('sets expires_at to now plus expires_in [FH12]', async () => {
    const { hash } = await server.client.uploaded();
    const answer = await server.client.fromHash({ hash, file_path: 'timed.png', expires_in: 3600 });
    const asset = jsonOf<Asset>(expectStatus(answer, 201));
    expect(msBetween(asset.created_at, asset.expires_at)).toBe(3_600_000);
  });

  it.each(['../x', '/x', 'a\\b', '', 'a//b', 'x'.repeat(1025), 7, {}])(
    'answers 422 to file_path %j (decisions, file_path rules) [UP18]',
    async (file_path) => {
      const { hash } = await server.client.uploaded();
      expectInvalidField(await server.client.fromHash({ hash, file_path }), 'file_path');
    },
  );

  it.each([['x'.repeat(65)], 'tag', [7], [''], [null], Array.from({ length: 17 }, (_, i) => `t${i}`)])(
    'answers 422 to the tags of case %# (reliability 4.2, Multipart parts)',
    async (...tags: unknown[]) => {
      const { hash } = await server.client.uploaded();
      const value = tags.length === 1 && tags[0] === 'tag' ? 'tag' : tags;
      expectInvalidField(await server.client.fromHash({ hash, file_path: 'x.png', tags: value }), 'tags');
    },
  );

  it('agrees with HEAD once all records over the blob are deleted (decisions, May mint from) [FH13]', async () => {
    const first = await server.client.uploaded();
    const second = jsonOf<Asset>(await server.client.fromHash({ hash: first.hash, file_path: 'second.png' }));
    for (const { id } of [first, second]) expectStatus(await server.client.deleteAsset(id), 204);
    expect((await server.client.headByHash(first.hash ?? '')).status).toBe(404);
    expectRefusal(await server.client.fromHash({ hash: first.hash, file_path: 'x.png' }), 404, 'blob_not_found');
  });

  it('lets 20 parallel identical requests find one asset [FH14]', async () => {
    const { hash } = await server.client.uploaded();
    const body = { hash, file_path: 'raced.png', tags: ['t'] };
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.client.fromHash(body)));
    expect(answers.map(codeOf).filter((code) => code !== null)).toEqual([]);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(new Set(answers.map((answer) => jsonOf<Asset>(answer).id)).size).toBe(1);
  });

  it('mints from what a job put out (decisions, May mint from)', async () => {
    const job = await server.client.submitted({
      '1': { class_type: 'PrimitiveString', inputs: { value: `minted ${Math.random()}` } },
      '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    });
    const { outputs } = await server.client.reached(job.id, 'succeeded');
    const answer = await server.client.fromHash({ hash: outputs[0]?.hash, file_path: 'from-output.txt' });
    expect(jsonOf<Asset>(expectStatus(answer, 201))).toMatchObject({ job_id: null, file_path: 'from-output.txt' });
  });
});
