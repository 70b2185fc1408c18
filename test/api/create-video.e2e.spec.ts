import type { CreatedVideoWire, VideoTaskWire } from '@heddle/contracts-registry';
import { eventually } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { IMAGE, MULTIFRAME, usePartnerProxy } from './partner-proxy.fixture.js';
import { ownServer } from './server.js';

const MAX_PAYLOAD = 1_048_576;
const VIDEO = {
  model: 'vendorq2-turbo',
  start_image: IMAGE,
  image_settings: [{ key_image: IMAGE }, { key_image: IMAGE }],
};

describe.runIf(ownServer)('the partner proxy with simulated vendors', () => {
  const { call } = usePartnerProxy();

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
});
