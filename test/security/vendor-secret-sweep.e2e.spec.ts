import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulatedVendor } from '@heddle/partner-proxy-simulated-vendor';
import type { SimulatedVendor } from '@heddle/partner-proxy-simulated-vendor';
import { webhookFault, webhookKey } from '@heddle/platform-webhooks';
import { eventually, jsonOf, send, textOf } from '@heddle/testing-api';
import type { Answer } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Canary } from './canary.js';
import { startKeyed } from './keyed-heddle.js';
import type { KeyedHeddle } from './keyed-heddle.js';

const PROXY = '/registry/proxy';
const UPSCALER = `${PROXY}/imagevendor/v1/ai/image-upscaler-precision-v2`;
const IMAGE = 'https://images.example.com/a.png';

/** A real process whose vendors repeat the key in each of their errors. */
describe('a sweep for keys of vendors and secrets of callbacks', () => {
  const [videoKey, imageKey] = [new Canary(), new Canary()];
  const vendorSecret = Buffer.from(new Canary().text).toString('base64');
  const hookSecret = new Canary(vendorSecret);
  /** In the payload of a task, where the sweep must find it. */
  const decoy = new Canary();
  const said: string[] = [];
  const received: { readonly headers: Record<string, string | undefined>; readonly body: string }[] = [];
  let vendor: SimulatedVendor;
  let receiver: Server;
  let heddle: KeyedHeddle;
  let key: string;
  let ownSecret: string;

  beforeAll(async () => {
    const imageWebhookSecret = `whsec_${vendorSecret}`;
    vendor = await startSimulatedVendor({ videoKey: videoKey.text, imageKey: imageKey.text, imageWebhookSecret });
    receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        received.push({ headers: request.headers as Record<string, string | undefined>, body });
        response.end();
      });
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    heddle = await startKeyed({
      HEDDLE_LOG_LEVEL: 'debug',
      HEDDLE_WORKERS: '0',
      HEDDLE_VIDEOVENDOR_URL: vendor.url,
      HEDDLE_VIDEOVENDOR_KEY: videoKey.text,
      HEDDLE_IMAGEVENDOR_URL: vendor.url,
      HEDDLE_IMAGEVENDOR_KEY: imageKey.text,
      HEDDLE_IMAGEVENDOR_WEBHOOK_SECRET: imageWebhookSecret,
      HEDDLE_PROXY_TIMEOUT_S: '1',
      HEDDLE_PROXY_POLL_S: '0.2',
      HEDDLE_CALLBACK_ALLOW: `127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    });
    key = await heddle.keyOf('acme');
    await heddle.admin('POST', 'credits/acme/grant', { amount: 100_000 });
    const { secret } = jsonOf<{ secret: string }>(
      await heddle.ask(key, { method: 'GET', target: `${PROXY}/webhook-secret` }),
    );
    ownSecret = secret;
  }, 120_000);
  afterAll(async () => {
    await heddle?.stop();
    await vendor?.close();
    receiver?.closeAllConnections();
    receiver?.close();
  });

  async function ask(method: string, target: string, body?: object): Promise<Answer> {
    const more = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await heddle.ask(key, { method, target, host: new URL(heddle.url).host, ...more });
    said.push(`${method} ${JSON.stringify(answer.headers)} ${textOf(answer)}`);
    return answer;
  }
  const video = (prompt: string, callback: boolean): Promise<Answer> =>
    ask('POST', `${PROXY}/videovendor/multiframe`, {
      model: 'vendorq2-turbo',
      start_image: IMAGE,
      image_settings: [{ key_image: IMAGE, prompt }, { key_image: IMAGE }],
      payload: decoy.text,
      ...(callback ? { callback_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` } : {}),
    });

  it('has tasks that ended in every way, and vendors that called back', { timeout: 60_000 }, async () => {
    const statuses: number[] = [];
    for (const fault of ['401', '500', '429', 'hang']) statuses.push((await video(`sim:${fault}`, false)).status);
    expect(statuses).toEqual([502, 502, 429, 504]);
    expect((await ask('POST', UPSCALER, { image: `${IMAGE}?sim:401` })).status).toBe(502);
    for (const prompt of ['a cat', 'sim:fail']) expect((await video(prompt, true)).status).toBe(200);
    const upscaled = jsonOf<{ data: { task_id: string } }>(await ask('POST', UPSCALER, { image: IMAGE }));
    await eventually('the end of the upscale', async () => {
      const answer = await ask('GET', `${UPSCALER}/${upscaled.data.task_id}`);
      return jsonOf<{ data: { status: string } }>(answer).data.status === 'COMPLETED';
    });
    await eventually('the callbacks of both ends', () =>
      ['success', 'failed'].every((state) => received.some(({ body }) => body.includes(`"state":"${state}"`))),
    );
    const metrics = textOf(await send(heddle.opsUrl, { method: 'GET', target: '/metrics' }));
    for (const name of ['video', 'image'])
      expect(metrics).toMatch(new RegExp(`heddle_proxy_callbacks_total\\{vendor="${name}",outcome="taken"\\} [1-9]`));
  });

  it('verifies what it received by the secret of its account, and nothing that was changed', () => {
    const signing = webhookKey(ownSecret);
    const now = Date.now() / 1_000;
    for (const { headers, body } of received) {
      expect(webhookFault(headers, body, signing, now)).toBeNull();
      expect(webhookFault(headers, `${body} `, signing, now)).not.toBeNull();
      expect(webhookFault(headers, body, Buffer.alloc(32), now)).not.toBeNull();
    }
  });

  it(
    'finds none of them in an answer, a callback, a log line, a metric, a table or a file',
    { timeout: 60_000 },
    async () => {
      for (const path of ['accounts/acme', 'credits/acme', 'registry/queue'])
        said.push(JSON.stringify(await heddle.admin('GET', path).catch((error: Error) => error.message)));
      for (const target of ['/metrics', '/readyz'])
        said.push(textOf(await send(heddle.opsUrl, { method: 'GET', target })));
      said.push(heddle.stdout(), heddle.stderr(), JSON.stringify(received));
      const own = new Canary(ownSecret.replace('whsec_', ''));
      for (const canary of [videoKey, imageKey, hookSecret, own]) {
        expect(said.filter((text) => canary.isIn(text))).toEqual([]);
        const [tables, files] = [await canary.tables(heddle.dataDir), await canary.files(heddle.dataDir)];
        expect([tables.hits, files.hits]).toEqual([[], []]);
      }
      expect(said.filter((text) => decoy.isIn(text)).length).toBeGreaterThan(1);
      expect((await decoy.tables(heddle.dataDir)).hits).toContain('partner_proxy.payload');
    },
  );
});
