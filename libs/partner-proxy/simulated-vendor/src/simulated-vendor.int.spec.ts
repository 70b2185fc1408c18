import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookFault, webhookKey } from '@heddle/platform-webhooks';
import { startSimulatedVendor } from './simulated-vendor.js';
import type { SimulatedVendor } from './simulated-vendor.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OPTIONS = { videoKey: 'video-key', imageKey: 'image-key', imageWebhookSecret: SECRET };
const VIDEO = {
  path: '/ent/v2/multiframe',
  headers: { authorization: 'Token video-key' },
  body: {
    model: 'viduq2-pro',
    start_image: 'https://a.example/1.png',
    image_settings: [{ key_image: 'x' }, { key_image: 'y' }],
  },
};
const IMAGE = {
  path: '/v1/ai/image-upscaler-precision-v2',
  headers: { 'x-freepik-api-key': 'image-key' },
  body: { image: 'https://a.example/1.png' },
};

interface Callback {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe('a simulated vendor', () => {
  const callbacks: Callback[] = [];
  let vendor: SimulatedVendor;
  let replica: SimulatedVendor;
  let receiver: Server;
  let receiverUrl: string;

  beforeAll(async () => {
    [vendor, replica] = await Promise.all([startSimulatedVendor(OPTIONS), startSimulatedVendor(OPTIONS)]);
    receiver = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        callbacks.push({ path: request.url ?? '', headers: request.headers, text });
        response.end();
      });
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await Promise.all([vendor.close(), replica.close()]);
    receiver.closeAllConnections();
    receiver.close();
  });

  const post = async (call: { path: string; headers: Record<string, string>; body: object }, ms = 5_000) => {
    const request = { method: 'POST', headers: call.headers, body: JSON.stringify(call.body) };
    return await fetch(`${vendor.url}${call.path}`, { ...request, signal: AbortSignal.timeout(ms) });
  };
  const read = async (path: string, headers: Record<string, string>, at = vendor) => {
    const answer = await fetch(`${at.url}${path}`, { headers });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const videoTask = async (prompt: string, others: object = {}): Promise<string> =>
    (
      JSON.parse(await (await post({ ...VIDEO, body: { ...VIDEO.body, prompt, ...others } })).text()) as {
        task_id: string;
      }
    ).task_id;
  const video = (id: string, at = vendor) => read(`/ent/v2/tasks/${id}/creations`, VIDEO.headers, at);

  it('makes a video in a second, and each replica says the same', async () => {
    const id = await videoTask('a cat');
    expect((await video(id)).body).toMatchObject({ id, state: 'created', creations: [] });
    await expect.poll(async () => (await video(id)).body.state, { timeout: 5_000 }).toBe('processing');
    await expect.poll(async () => (await video(id)).body.state, { timeout: 5_000 }).toBe('success');
    const end = await video(id);
    expect(end.body.creations).toHaveLength(1);
    expect(await video(id, replica)).toEqual(end);
  });

  it('fails a video, or takes ten seconds for it', async () => {
    const failed = await videoTask('sim:fail');
    const slow = await videoTask('sim:slow');
    await expect.poll(async () => (await video(failed)).body.state, { timeout: 5_000 }).toBe('failed');
    expect((await video(failed)).body.err_code).toBe('CreationPolicyViolation');
    await expect.poll(async () => (await video(slow)).body.state, { timeout: 5_000 }).toBe('queueing');
  });

  it.each([
    ['sim:429', 429],
    ['sim:500', 500],
    ['sim:401', 401],
  ])('answers %s with %d, for a prompt, a setting and an image', async (word, status) => {
    const settings = [{ key_image: 'x' }, { key_image: 'y', prompt: `a ${word} b` }];
    const image_url = `https://a.example/${word}.png`;
    expect((await post({ ...VIDEO, body: { ...VIDEO.body, prompt: word } })).status).toBe(status);
    expect((await post({ ...VIDEO, body: { ...VIDEO.body, image_settings: settings } })).status).toBe(status);
    const answer = await post({ ...IMAGE, body: { image: image_url } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
  });

  it('hangs on demand', async () => {
    await expect(post({ ...VIDEO, body: { ...VIDEO.body, prompt: 'sim:hang' } }, 300)).rejects.toThrow('timeout');
  });

  it('calls back on each change of a video, signed by the key', async () => {
    const id = await videoTask('sim:fail', { callback_url: `${receiverUrl}/video/1?a=b` });
    const mine = () => callbacks.filter(({ path }) => path === '/video/1?a=b');
    await expect.poll(() => mine().length, { timeout: 5_000 }).toBe(2);
    expect(mine().map(({ text }) => (JSON.parse(text) as { id: string; state: string }).state)).toEqual([
      'processing',
      'failed',
    ]);
    expect(JSON.parse(mine()[1]!.text)).toEqual((await video(id)).body);
    const { headers } = mine()[0]!;
    const nonce = headers['x-request-nonce'] as string;
    const signed = `POST\n/video/1\na=b\nvidu\n${headers.date}\nx-request-nonce:${nonce}\n`;
    expect(headers['x-hmac-signature']).toBe(createHmac('sha256', 'video-key').update(signed).digest('base64'));
    expect(mine()[1]!.headers['x-request-nonce']).not.toBe(nonce);
  });

  it('calls back on each change of an image as Standard Webhooks says', async () => {
    const answer = await post({ ...IMAGE, body: { ...IMAGE.body, webhook_url: `${receiverUrl}/image` } });
    const { data } = JSON.parse(await answer.text()) as { data: { task_id: string; status: string } };
    expect(data).toEqual({ task_id: data.task_id, status: 'CREATED', generated: [] });
    const mine = () => callbacks.filter(({ path }) => path === '/image');
    await expect.poll(() => mine().length, { timeout: 5_000 }).toBe(2);
    const { body } = await read(`${IMAGE.path}/${data.task_id}`, IMAGE.headers);
    expect(JSON.parse(mine()[1]!.text)).toEqual(body.data);
    for (const { headers, text } of mine())
      expect(webhookFault(headers, text, webhookKey(SECRET), Math.floor(Date.now() / 1_000))).toBeNull();
  });

  it('refuses a wrong credential, an unknown task, a bad body and another path', async () => {
    expect((await post({ ...VIDEO, headers: { authorization: 'Bearer video-key' } })).status).toBe(401);
    expect((await post({ ...IMAGE, headers: {} })).status).toBe(401);
    const id = await videoTask('a');
    expect((await video('nothing')).status).toBe(404);
    expect((await video(id.replace(/^.{15}0/, (start) => `${start.slice(0, -1)}9`))).status).toBe(404);
    expect((await read(`${IMAGE.path}/${id}`, IMAGE.headers)).status).toBe(404);
    expect((await post({ ...VIDEO, body: { ...VIDEO.body, image_settings: [] } })).status).toBe(400);
    expect((await post({ ...VIDEO, body: [] })).status).toBe(400);
    expect((await post({ ...VIDEO, path: '/ent/v2/other' })).status).toBe(404);
    const large = await post({ ...VIDEO, body: { ...VIDEO.body, prompt: 'x'.repeat(22 * 1024 ** 2) } }, 30_000).catch(
      () => null,
    );
    expect([413, undefined]).toContain(large?.status);
    expect((await video(id)).status).toBe(200);
  });
});
