import {
  blake3Of,
  expectStatus,
  freshBytes,
  freshPicture,
  jsonOf,
  loadGraph,
  multipart,
  textGraph,
  assetReference,
  uploadParts,
} from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectUrlExpiry, msBetween } from './expectations.js';
import { useServer } from './server.js';
import { overStore, surface } from './surface.js';

describe('POST /api/v2/assets, accepted', () => {
  const server = useServer();
  const form = (bytes: Uint8Array, file_path = 'photo.png') => ({ bytes, content_type: 'image/png', file_path });

  it('answers 201 and the whole Asset to new bytes, with the hash that the server computed (Asset, rule 1) [UP01]', async () => {
    const bytes = freshBytes(1024);
    const asset = jsonOf<Asset>(expectStatus(await server.client.upload(form(bytes)), 201));
    expect(asset).toMatchObject({
      hash: blake3Of(bytes),
      size_bytes: 1024,
      content_type: 'image/png',
      file_path: 'photo.png',
      created_new: true,
      tags: [],
      job_id: null,
    });
    expect(asset.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(Date.parse(asset.created_at) - Date.now())).toBeLessThan(60_000);
    expectUrlExpiry(asset.url_expires_at, 'asset');
    const retention = surface.uploadRetentionS;
    if (retention === null) expect(asset.expires_at).toBeNull();
    else expect(msBetween(asset.created_at, asset.expires_at)).toBeCloseTo(retention * 1000, -4);
    const content = surface.content === 'bytes' ? `assets/${asset.id}/content` : 'signed/';
    expect(asset.url).toMatch(overStore ? /[?&]X-Amz-Signature=/ : new RegExp(`^${server.url}/api/v2/${content}`));
  });

  it('mints a new asset over bytes already held and answers 200 (POST /api/v2/assets, 200) [UP02]', async () => {
    const bytes = freshBytes();
    const first = await server.client.uploaded(form(bytes));
    const second = jsonOf<Asset>(expectStatus(await server.client.upload(form(bytes, 'other.png')), 200));
    expect(second).toMatchObject({ created_new: false, hash: first.hash, file_path: 'other.png' });
    expect(second.id).not.toBe(first.id);
    expect(jsonOf<Asset>(await server.client.asset(first.id)).file_path).toBe('photo.png');
  });

  it('calls bytes new again once the account can no longer mint from them (decisions, created_new)', async () => {
    const bytes = freshBytes();
    const first = await server.client.uploaded(form(bytes));
    expectStatus(await server.client.deleteAsset(first.id), 204);
    const again = jsonOf<Asset>(expectStatus(await server.client.upload(form(bytes)), 201));
    expect(again.created_new).toBe(true);
    expect((await server.client.content(again.id)).bytes.equals(bytes)).toBe(true);
  });

  it('does not call bytes new that a retained job put out (decisions, May mint from)', async () => {
    const text = `put out ${Math.random()}`;
    const job = await server.client.submitted(textGraph(text));
    await server.client.reached(job.id, 'succeeded');
    expectStatus(await server.client.upload(form(Buffer.from(text))), 200);
  });

  it('takes the parts in any order (decisions, Assets: order of parts) [UP04]', async () => {
    const bytes = freshBytes();
    const body = multipart(uploadParts(form(bytes)).reverse());
    const headers = { 'content-type': body.contentType };
    const answer = await server.client.request('POST', '/api/v2/assets', { headers, body: body.bytes });
    expect(jsonOf<Asset>(expectStatus(answer, 201))).toMatchObject({ hash: blake3Of(bytes), file_path: 'photo.png' });
  });

  it('takes a body without Content-Length (chunked), as official clients stream it [UP04]', async () => {
    const bytes = freshBytes(200_000);
    const body = multipart(uploadParts(form(bytes)));
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < body.bytes.length; at += 7001) yield body.bytes.subarray(at, at + 7001);
    }
    const headers = { 'content-type': body.contentType };
    const answer = await server.client.request('POST', '/api/v2/assets', { headers, body: pieces() });
    expect(jsonOf<Asset>(expectStatus(answer, 201)).hash).toBe(blake3Of(bytes));
  });

  it('accepts the expected hash that fits, in either letter case (decisions, Hash on input) [UP06]', async () => {
    const bytes = freshBytes();
    const expected_hash = blake3Of(bytes);
    expectStatus(await server.client.upload({ ...form(bytes), expected_hash }), 201);
    const upper = `blake3:${expected_hash.slice(7).toUpperCase()}`;
    const asset = jsonOf<Asset>(
      expectStatus(await server.client.upload({ ...form(bytes), expected_hash: upper }), 200),
    );
    expect(asset.hash).toBe(expected_hash);
  });

  it('takes one tag from each tags part, without splitting, and gives them back (POST /api/v2/assets, tags) [UP09]', async () => {
    const tags = ['input', 'a,b', '["json"]'];
    const asset = await server.client.uploaded({ tags });
    expect([...asset.tags].sort()).toEqual([...tags].sort());
    expect(jsonOf<Asset>(await server.client.asset(asset.id)).tags).toEqual(asset.tags);
  });

  it.each([60, 3600, 604_800])(
    'sets expires_at to now plus expires_in=%i (Asset, rule 3) [UP10]',
    async (expires_in) => {
      const asset = await server.client.uploaded({ expires_in });
      expect(msBetween(asset.created_at, asset.expires_at)).toBe(expires_in * 1000);
    },
  );

  it('takes a file of no bytes [UP12]', async () => {
    const asset = await server.client.uploaded({ bytes: new Uint8Array() });
    expect(asset).toMatchObject({ size_bytes: 0, hash: blake3Of(new Uint8Array()) });
  });

  it('keeps a placement path verbatim (Asset, file_path) [UP19]', async () => {
    for (const file_path of [
      'models/checkpoints/m.safetensors',
      'a b/ü€.png',
      `${'x'.repeat(250)}/${'y'.repeat(250)}`,
    ]) {
      expect((await server.client.uploaded({ file_path })).file_path).toBe(file_path);
    }
  });

  it('can be referenced by a job at once (POST /api/v2/assets: referenceable immediately) [UP25]', async () => {
    const asset = await server.client.uploaded({
      bytes: freshPicture(),
      content_type: 'image/png',
      file_path: 'in.png',
    });
    const job = await server.client.submitted(loadGraph(assetReference(asset.id)));
    const ended = await server.client.reached(job.id, 'succeeded');
    expect(ended.outputs).toHaveLength(1);
  });

  it('serves an HTML upload as a download that no browser interprets (decisions, Content response) [UP26]', async () => {
    const asset = await server.client.uploaded({
      bytes: Buffer.from('<script>alert(1)</script>'),
      content_type: 'text/html',
      file_path: 'page.html',
    });
    const content = await server.client.content(asset.id);
    expect(content.headers['content-type']).toBe('application/octet-stream');
    if (!overStore) expect(content.headers['x-content-type-options']).toBe('nosniff');
    expect(content.headers['content-disposition']).toMatch(/^attachment\b/);
  });

  it.each(['x\r\nSet-Cookie: a=b.png', 'x"; filename="y.png', "quote'and\\slash.png", 'naïve €.png'])(
    'never lets file_path %j split or forge a header [XC12]',
    async (file_path) => {
      const parts = uploadParts(form(freshBytes())).map((part) =>
        part.name === 'file_path' ? { ...part, value: file_path } : part,
      );
      const body = multipart(parts);
      const headers = { 'content-type': body.contentType };
      const answer = await server.client.request('POST', '/api/v2/assets', { headers, body: body.bytes });
      if (answer.status === 422) return;
      const content = await server.client.content(jsonOf<Asset>(answer).id);
      expect(content.headers['set-cookie']).toBeUndefined();
      const disposition = content.headers['content-disposition'] ?? 'attachment';
      expect(disposition).toMatch(
        /^attachment(; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*")?(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/,
      );
    },
  );
});
