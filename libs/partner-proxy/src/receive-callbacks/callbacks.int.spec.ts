import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestProxy } from '../partner-proxy.fixture.js';
import type { ProxyAnswer } from '../partner-proxy.fixture.js';

let proxy: TestProxy;
beforeAll(async () => {
  // No poll comes in between: what changes, changes by callbacks.
  proxy = await TestProxy.open({ pollMs: 600_000 });
});
afterAll(() => proxy.close());

interface Forgery {
  readonly key?: string;
  readonly date?: Date;
  readonly nonce?: string;
  readonly signedHeaders?: string;
}

async function callBack(
  path: string,
  { key = proxy.vendorKey, date = new Date(), ...rest }: Forgery,
): Promise<ProxyAnswer> {
  const { nonce = String(Math.random()), signedHeaders = 'x-request-nonce' } = rest;
  const lines = signedHeaders.split(';').map((name) => `${name}:${name === 'x-request-nonce' ? nonce : ''}`);
  const text = ['POST', path, '', 'vidu', date.toUTCString(), ...lines, ''].join('\n');
  const headers = {
    date: date.toUTCString(),
    'x-request-nonce': nonce,
    'x-hmac-signed-headers': signedHeaders,
    'x-hmac-algorithm': 'hmac-sha256',
    'x-hmac-access-key': 'vidu',
    'x-hmac-signature': createHmac('sha256', key).update(text).digest('base64'),
  };
  // fetch sets no Date of its own, and lets none be set.
  return await proxy.post(path, headers, JSON.stringify({ state: 'success' }));
}

async function pathOf(taskId: string): Promise<string> {
  const sql = 'select callback_token as token from partner_proxy.task where task_id = $1';
  const { rows } = await proxy.database.pool('heddle_registry').query<{ token: string }>(sql, [taskId]);
  return `/proxy/videovendor/callbacks/${rows[0]!.token}`;
}

describe('a callback of a vendor', () => {
  it('brings both kinds of tasks to their end without a poll', async () => {
    const { body: video } = await proxy.video();
    await proxy.until(
      () => proxy.readVideo(video.task_id),
      ({ state }) => state === 'success',
    );
    const path = '/proxy/imagevendor/v1/ai/image-upscaler-precision-v2';
    const { body: image } = await proxy.call('POST', path, { body: { image: 'https://images.example.com/a.png' } });
    const { body } = await proxy.until(
      () => proxy.call('GET', `${path}/${image.data.task_id}`),
      ({ data }) => data.status === 'COMPLETED',
    );
    expect(body.data.generated).toHaveLength(1);
  });

  it('is not believed where it is forged, old, repeated, or of another task', async () => {
    const image_settings = [{ key_image: 'https://images.example.com/a.png', prompt: 'sim:slow' }];
    const { body } = await proxy.video({ image_settings: [...image_settings, ...image_settings] });
    const path = await pathOf(body.task_id);
    const refusals = [
      await callBack(path, { key: 'another key' }),
      await callBack(path, { date: new Date(Date.now() - 301_000) }),
      await callBack(path, { date: new Date(Date.now() + 301_000) }),
      await callBack(path, { signedHeaders: 'x-other' }),
      await callBack(`/proxy/videovendor/callbacks/${'0'.repeat(32)}`, {}),
      await proxy.call('POST', path, { body: { state: 'success' } }),
    ];
    for (const answer of refusals) expect([answer.status, answer.text]).toEqual([401, refusals[0]!.text]);
    for (const ago of [290_000, -290_000])
      expect((await callBack(path, { date: new Date(Date.now() - ago) })).status).toBe(204);
    expect((await callBack(path, { nonce: 'once' })).status).toBe(204);
    expect((await callBack(path, { nonce: 'once' })).status).toBe(401);
    // The body said success: the vendor says what is true.
    expect((await proxy.readVideo(body.task_id)).body.state).not.toBe('success');
  });
});
