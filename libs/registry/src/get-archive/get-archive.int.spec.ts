import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeNode, makePublisher, makeVersion } from '../published-versions.fixture.js';
import { get } from '../read-get.fixture.js';
import { OWNER, testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

const BYTES = Buffer.from('0123456789');
const TAG = `"${createHash('sha256').update(BYTES).digest('hex')}"`;
const PATH = '/nodes/PACK/versions/v1.0/archive';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
  await makePublisher(registry, 'pub');
  await makeNode(registry, 'pub', 'Pack');
  await makeVersion(registry, 'Pack', '1.0.0', { bytes: BYTES });
  await makeVersion(registry, 'Pack', '2.0.0', { bytes: BYTES, status: 'flagged' });
  for (const [version, status] of [
    ['3.0.0', 'pending'],
    ['4.0.0', 'deleted'],
    ['5.0.0', 'banned'],
  ] as const) {
    await makeVersion(registry, 'Pack', version, { status });
  }
});
afterAll(() => registry.close());

const asked = (headers: Record<string, string>, method = 'GET') => get(registry, PATH, { headers, method });

describe('the bytes of a version', () => {
  it('come whole, with their type, size and digest, and are not to be sniffed', async () => {
    const { status, body, headers } = await asked({});
    expect([status, body]).toEqual([200, BYTES.toString()]);
    expect(Object.fromEntries(headers)).toMatchObject({
      etag: TAG,
      'content-type': 'application/zip',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60',
    });
    expect((await get(registry, '/nodes/pack/versions/2.0.0/archive')).status).toBe(200);
    expect((await get(registry, '/nodes/pack/versions/1.0.0')).body).toMatchObject({
      downloadUrl: `${registry.url}/nodes/Pack/versions/1.0.0/archive`,
    });
  });

  it('have a head of their own', async () => {
    const { status, body, headers } = await asked({ range: 'bytes=0-1' }, 'HEAD');
    expect([status, body, headers.get('content-length'), headers.get('etag')]).toEqual([200, '', '10', TAG]);
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-0,5-6', 200, '0123456789', null],
    ['lines=1', 200, '0123456789', null],
  ])('come in the one range %s: %i', async (range, status, body, told) => {
    const got = await asked({ range });
    expect([got.status, got.body, got.headers.get('content-range')]).toEqual([status, body, told]);
  });

  it('have no range outside of them', async () => {
    const { status, body, headers } = await asked({ range: 'bytes=10-' });
    expect({ status, body }).toMatchObject({ status: 416, body: { error: 'range_not_satisfiable' } });
    expect(headers.get('content-range')).toBe('bytes */10');
  });

  it('are not sent again to whom has them, and whole where an If-Range names others', async () => {
    const same = await asked({ 'if-none-match': TAG });
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', TAG]);
    expect((await asked({ range: 'bytes=0-1', 'if-range': TAG })).status).toBe(206);
    expect((await asked({ range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200);
  });

  it.each([
    ['3.0.0', 404],
    ['4.0.0', 404],
    ['5.0.0', 403],
    ['9.0.0', 404],
    ['x', 404],
  ])('of %s are withheld with %i, from members too', async (version, status) => {
    const path = `/nodes/pack/versions/${version}/archive`;
    expect((await get(registry, path)).status).toBe(status);
    expect((await get(registry, path, { headers: { authorization: `Bearer ${OWNER}` } })).status).toBe(status);
  });
});
