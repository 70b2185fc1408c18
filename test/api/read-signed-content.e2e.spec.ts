import { freshBytes } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from './expectations.js';
import { useServer } from './server.js';
import { overStore, surface } from './surface.js';

describe.runIf(surface.content === 'redirect')('GET of a signed URL', () => {
  const server = useServer();

  it('answers the bytes to whoever has the URL, whole, in part and as HEAD (accounts, Signed URL) [CT09]', async () => {
    const bytes = freshBytes(1024);
    const { url } = await server.client.uploaded({ bytes, content_type: 'image/png' });
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
    expect((await fetch(url, { headers: { range: 'bytes=1024-' } })).status).toBe(416);
    // The store signs the method, too.
    if (overStore) return;
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1024']);
  });

  it('answers 403 once a character was changed, in the key or in the signature (accounts, Signed URL) [CT10]', async () => {
    const { url } = await server.client.uploaded();
    const [path, query] = url.split('?') as [string, string];
    const changed = (text: string): string => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const forged of [changed(url), `${changed(path)}?${query}`, path])
      expect((await fetch(forged)).status, forged).toBe(403);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe.runIf(surface.content === 'bytes')('GET of a signed URL where bytes are served directly', () => {
  const server = useServer();

  it('is a routing 404: nothing is signed (accounts, Signed URL)', async () => {
    expectRefusal(await server.client.get('/api/v2/signed/key'), 404, 'not_found');
  });
});
