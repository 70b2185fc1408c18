import { createHash } from 'node:crypto';
import { expectStatus } from '@heddle/testing-api';
import { refusalOf } from '@heddle/testing-registry';
import { describe, expect, it } from 'vitest';
import { usePublishedNode } from './published-node.fixture.js';

describe('reading what is published', () => {
  const { registry, published } = usePublishedNode();

  it('GET downloadUrl answers the bytes, whole or in part, with their digest as tag', async () => {
    const { bytes, active } = published;
    const get = (headers = {}) => registry.anyone.follow('GET', active.downloadUrl, { headers });
    const whole = expectStatus(await get(), 200);
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    expect(whole.bytes.equals(bytes)).toBe(true);
    expect(whole.headers).toMatchObject({
      ...{ etag, 'content-type': 'application/zip', 'x-content-type-options': 'nosniff' },
      'cache-control': 'public, max-age=60',
    });
    const part = expectStatus(await get({ range: 'bytes=2-5' }), 206);
    expect(part.bytes.equals(bytes.subarray(2, 6))).toBe(true);
    expect(part.headers['content-range']).toBe(`bytes 2-5/${bytes.length}`);
    expectStatus(await get({ 'if-none-match': etag }), 304);
    const outside = await get({ range: `bytes=${bytes.length}-` });
    expect([refusalOf(outside), outside.headers['content-range']]).toEqual([
      '416 range_not_satisfiable',
      `bytes */${bytes.length}`,
    ]);
    const head = expectStatus(await registry.anyone.follow('HEAD', active.downloadUrl), 200);
    expect(head.headers['content-length']).toBe(String(bytes.length));
  });
});
