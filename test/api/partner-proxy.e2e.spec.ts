import type { CreatedVideoWire, UpscaleWire, VideoTaskWire } from '@heddle/contracts-registry';
import { eventually } from '@heddle/testing-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminOf } from '../security/keyed-heddle.js';
import { ownServer, useServer } from './server.js';
import { surface } from './surface.js';

const MULTIFRAME = '/proxy/videovendor/multiframe';
const UPSCALER = '/proxy/imagevendor/v1/ai/image-upscaler-precision-v2';
const IMAGE = 'https://images.example.com/a.png';
const MAX_PAYLOAD = 1_048_576;
const VIDEO = {
  model: 'vendorq2-turbo',
  start_image: IMAGE,
  image_settings: [{ key_image: IMAGE }, { key_image: IMAGE }],
};

describe.runIf(ownServer)('the partner proxy with simulated vendors', () => {
  const settings = { HEDDLE_VIDEOVENDOR_URL: 'simulated', HEDDLE_IMAGEVENDOR_URL: 'simulated' };
  const server = useServer(settings, { registry: true });
  /** What is answered is for its caller alone, and kept nowhere. */
  const call = async (method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(server.registryUrl + path, {
      method,
      headers: server.token === undefined ? {} : { authorization: `Bearer ${server.token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (path.startsWith('/proxy/')) expect(answer.headers.get('cache-control'), path).toBe('no-store');
    return answer;
  };

  beforeAll(async () => {
    if (surface.credential !== 'keys') return;
    await adminOf(server.process.dataDir)('POST', 'credits/default/grant', { amount: 10_000 });
  });

  it('makes a video that its account reads to the end', async () => {
    const created = await call('POST', MULTIFRAME, VIDEO);
    expect(created.status, await created.clone().text()).toBe(200);
    const { task_id: id, credits } = (await created.json()) as CreatedVideoWire;
    expect(credits).toBe(2 * 16 + 10 * 6);
    const done = await eventually('the end of the task', async () => {
      const answer = await call('GET', `/proxy/videovendor/tasks/${id}/creations`);
      const task = (await answer.json()) as VideoTaskWire;
      return task.state === 'success' ? task : null;
    });
    expect(done.creations).toHaveLength(1);
  });

  it('takes 2 to 9 frames and a payload of 1,048,576 characters, and answers them as they were [RG08]', async () => {
    const nine = { image_settings: Array.from({ length: 9 }, () => ({ key_image: IMAGE })) };
    for (const more of [{ payload: 'x'.repeat(MAX_PAYLOAD) }, nine]) {
      const created = await call('POST', MULTIFRAME, { ...VIDEO, ...more });
      expect(created.status, await created.clone().text()).toBe(200);
      const body = (await created.json()) as CreatedVideoWire;
      expect(body).toMatchObject({ ...VIDEO, ...more, state: 'created', task_id: expect.any(String) as string });
      expect(Number.isInteger(body.credits)).toBe(true);
    }
  });

  it.each<[field: string, more: object]>([
    ['image_settings', { image_settings: [{ key_image: IMAGE }] }],
    ['image_settings', { image_settings: Array.from({ length: 10 }, () => ({ key_image: IMAGE })) }],
    ['payload', { payload: 'x'.repeat(MAX_PAYLOAD + 1) }],
    ['model', { model: 'vendorq3' }],
    ['resolution', { resolution: '480p' }],
    ['callback_url', { callback_url: 'https://127.0.0.1/' }],
    ['callback_url', { callback_url: 'https://169.254.169.254/latest/meta-data' }],
  ])('answers 400 to a multiframe with a wrong %s, and names it [RG07] [RG09]', async (field, more) => {
    const refused = await call('POST', MULTIFRAME, { ...VIDEO, ...more });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { message: expect.any(String) as string, details: [expect.stringMatching(new RegExp(`^${field}\\b.*: `))] },
    ]);
  });

  it('knows no upscale of another id, and on keyed surfaces none without a key [RG10]', async () => {
    const path = `${UPSCALER}/00000000-0000-4000-8000-000000000000`;
    const unknown = await call('GET', path);
    const form = { message: expect.any(String) as string };
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: 'not_found', ...form }]);
    if (surface.credential !== 'keys') return;
    const without = await fetch(server.registryUrl + path);
    expect([without.status, await without.json()]).toMatchObject([401, { error: 'unauthorized', ...form }]);
  });

  it('upscales an image [RG11]', async () => {
    const created = await call('POST', UPSCALER, { image: IMAGE, scale_factor: 4 });
    expect(created.status, await created.clone().text()).toBe(200);
    const { data } = (await created.json()) as UpscaleWire;
    const done = await eventually('the end of the task', async () => {
      const task = (await (await call('GET', `${UPSCALER}/${data.task_id}`)).json()) as UpscaleWire;
      return task.data.status === 'COMPLETED' ? task.data : null;
    });
    expect(done).toEqual({ task_id: data.task_id, status: 'COMPLETED', generated: [expect.stringMatching(/^https:/)] });
  });

  it('has its routes in the document of the registry', async () => {
    const { paths } = (await (await call('GET', '/openapi.json')).json()) as { readonly paths: object };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining([MULTIFRAME, UPSCALER, '/proxy/webhook-secret']));
  });

  it('answers in its form where nothing is served', async () => {
    const answer = await call('GET', '/proxy/videovendor/nothing');
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { message: expect.any(String) as string, details: [expect.any(String)] },
    ]);
    const other = await call('GET', '/proxy/imagevendor/nothing');
    expect([other.status, await other.json()]).toMatchObject([404, { error: 'not_found' }]);
  });
});
