import type { UpscaleWire } from '@heddle/contracts-registry';
import { eventually } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { IMAGE, UPSCALER, usePartnerProxy } from './partner-proxy.fixture.js';
import { ownServer } from './server.js';

describe.runIf(ownServer)('the partner proxy with simulated vendors', () => {
  const { call } = usePartnerProxy();

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
});
