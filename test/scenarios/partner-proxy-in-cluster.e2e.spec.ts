import { eventually } from '@heddle/testing-api';
import { beforeAll, expect, it } from 'vitest';
import { adminOf } from '../security/keyed-heddle.js';
import type { KeyedHeddle } from '../security/keyed-heddle.js';
import { describeOnCluster } from './on-cluster.js';
import { runCli } from './run-cli.js';

const IMAGE = 'https://images.example.com/a.png';
const GRANTED = 10_000;
const PRICE = 2 * 16 + 10 * 6;
const OPTIONS = {
  env: { HEDDLE_SURFACE: 'managed', HEDDLE_VIDEOVENDOR_URL: 'simulated', HEDDLE_PROXY_POLL_S: '0.2' },
  replicas: 'gateway=1,jobs=1,registry=2,worker=0',
};

await describeOnCluster('the partner proxy of a cluster that takes credits', OPTIONS, (on) => {
  let key: string;
  let admin: KeyedHeddle['admin'];
  const urls = (): readonly string[] =>
    on()
      .cluster.processes.filter(({ plan }) => plan.service === 'registry')
      .map(({ plan }) => `http://127.0.0.1:${plan.apiPort}`);

  async function call(url: string, method: string, path: string, body?: object) {
    const answer = await fetch(`${url}/proxy/videovendor/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  const video = async (url: string, prompt: string) =>
    await call(url, 'POST', 'multiframe', {
      model: 'vendorq2-turbo',
      start_image: IMAGE,
      image_settings: [{ key_image: IMAGE, prompt }, { key_image: IMAGE }],
    });
  const ended = async (url: string, taskId: unknown): Promise<unknown> =>
    await eventually('the end of the task', async () => {
      const { state } = (await call(url, 'GET', `tasks/${String(taskId)}/creations`)).body;
      return (state === 'success' || state === 'failed') && state;
    });
  const credits = async (): Promise<unknown> => await admin('GET', 'credits/acme');

  beforeAll(async () => {
    admin = adminOf(on().place.dataDir);
    key = ((await admin('POST', 'keys', { account: 'acme' })) as { key: string }).key;
  });

  it('makes no task that the balance does not pay for', async () => {
    expect((await video(urls()[0]!, 'a cat')).status).toBe(402);
    await admin('POST', 'credits/acme/grant', { amount: GRANTED });
  });

  it('makes a task on one replica that the other one reads to its end, and settles it once', async () => {
    const [first, second] = urls() as [string, string];
    const good = await video(first, 'a cat');
    const bad = await video(second, 'sim:fail');
    expect([good.status, bad.status]).toEqual([200, 200]);
    const states = [await ended(second, good.body['task_id']), await ended(first, bad.body['task_id'])];
    expect(states).toEqual(['success', 'failed']);
    await expect
      .poll(credits, { timeout: 20_000 })
      .toMatchObject({ balance: GRANTED - PRICE, reserved: 0, charged: PRICE });
    const { lines, code } = await runCli(['credits', 'check', '--json'], { HEDDLE_DATA: on().place.dataDir });
    expect([code, lines()[0]]).toEqual([0, expect.objectContaining({ problems: [] })]);
  });
});
