import { randomBytes } from 'node:crypto';
import { expectStatus, freshBytes } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, sameBody } from './expectations.js';
import { unknownId, useServer } from './server.js';
import { surface } from './surface.js';

describe.runIf(surface.content === 'bytes')('GET /api/v2/assets/{id}/content where bytes are served directly', () => {
  const server = useServer();
  const bytes = freshBytes(1024);
  let asset: Asset;
  beforeAll(async () => {
    asset = await server.client.uploaded({ bytes, content_type: 'image/png', file_path: 'a b/photo.png' });
  });
  const range = (value: string) => server.client.content(asset.id, { range: value });

  it('answers 200 and the exact bytes as application/octet-stream (content, 200) [CT01]', async () => {
    const answer = await server.client.content(asset.id);
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '1024',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-disposition']).toMatch(/^attachment;.*photo\.png/);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('is what the url of the asset leads to (What the service does, rule 4) [XC04]', async () => {
    expect((await server.client.follow(asset.url)).bytes.equals(bytes)).toBe(true);
  });

  it.each([
    ['bytes=0-4', 0, 4],
    ['bytes=1020-', 1020, 1023],
    ['bytes=-4', 1020, 1023],
    ['bytes=1020-5000', 1020, 1023],
    ['bytes=0-0', 0, 0],
    ['bytes=-5000', 0, 1023],
    ['bytes=1023-1023', 1023, 1023],
  ])('answers 206 to Range: %s with bytes %i to %i (content, 206) [CT02] [CT03] [CT04]', async (value, start, end) => {
    const answer = await range(value);
    expect(answer.status).toBe(206);
    expect(answer.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/1024`);
    expect(answer.headers['content-length']).toBe(String(end - start + 1));
  });

  it.each(['bytes=1024-', 'bytes=5000-6000', 'bytes=-0'])(
    'answers 416 to the unsatisfiable Range: %s (content, 416) [CT05]',
    async (value) => {
      const answer = await range(value);
      expectRefusal(answer, 416, 'range_not_satisfiable');
      expect(answer.headers['content-range']).toBe('bytes */1024');
    },
  );

  it.each(['bytes=x', 'lines=1-2', 'bytes=5-2', 'bytes', 'bytes=', '-', 'bytes=1-2-3', 'bytes=1.5-2', 'bytes=0x1-0x2'])(
    'ignores the malformed Range: %s and answers the full content, or 416; never 500 [CT06]',
    async (value) => {
      const answer = await range(value);
      if (answer.status === 416) {
        expectRefusal(answer, 416, 'range_not_satisfiable');
        return;
      }
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(bytes)).toBe(true);
    },
  );

  it('answers several valid ranges with the full content (decisions, Content response) [CT07]', async () => {
    const answer = await range('bytes=0-1,4-5');
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(bytes)).toBe(true);
  });

  it('answers 416 to a Range header of more than 256 bytes (reliability 4.2, Range)', async () => {
    expectRefusal(
      await range(`bytes=${Array.from({ length: 200 }, (_, i) => `${i}-${i}`).join()}`),
      416,
      'range_not_satisfiable',
    );
  });

  it('serves an asset of no bytes: 200 whole, 416 for a range [CT13]', async () => {
    const empty = await server.client.uploaded({ bytes: new Uint8Array() });
    const whole = await server.client.content(empty.id);
    expect([whole.status, whole.bytes.length, whole.headers['content-length']]).toEqual([200, 0, '0']);
    expectRefusal(await server.client.content(empty.id, { range: 'bytes=0-0' }), 416, 'range_not_satisfiable');
  });

  it('gives equal bytes back from 50 parallel ranges [CT14]', async () => {
    const large = randomBytes(3_000_017);
    const { id } = await server.client.uploaded({ bytes: large });
    const size = Math.ceil(large.length / 50);
    const parts = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const end = Math.min((i + 1) * size, large.length) - 1;
        return expectStatus(await server.client.content(id, { range: `bytes=${i * size}-${end}` }), 206).bytes;
      }),
    );
    expect(Buffer.concat(parts).equals(large)).toBe(true);
  });

  it('answers HEAD with the headers of GET and no body (decisions, 405, HEAD)', async () => {
    const head = await server.client.request('HEAD', `/api/v2/assets/${asset.id}/content`);
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, '1024']);
  });

  it('answers 404 to an unknown id, with a Range too', async () => {
    const answer = await server.client.content(unknownId());
    expectRefusal(answer, 404, 'not_found');
    sameBody(answer, await server.client.content(unknownId(), { range: 'bytes=0-1' }));
  });

  it('survives a client that goes away in the middle of a large file (clients 3.4)', async () => {
    const large = randomBytes(8_000_000);
    const { id } = await server.client.uploaded({ bytes: large });
    for (let round = 0; round < 20; round += 1) {
      const response = await fetch(`${server.url}/api/v2/assets/${id}/content`);
      await response.body?.cancel();
    }
    expect((await server.client.content(id)).bytes.equals(large)).toBe(true);
  });
});
