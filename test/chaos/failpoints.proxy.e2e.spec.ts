import { PARTNER_PROXY_FAILPOINTS } from '@heddle/partner-proxy';
import { eventually } from '@heddle/testing-api';
import { serverOf, startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDatabase } from '../api/database.js';
import { runCli } from '../scenarios/run-cli.ts';
import { KEY_FOR_TESTS } from '../security/keyed-heddle.ts';
import { within } from './heddle-under-fire.ts';

type Point = (typeof PARTNER_PROXY_FAILPOINTS)[number];

const KILLED_WITHIN_MS = 45_000;
const GRANTED = 1_000_000;
const PRICE = 2 * 16 + 10 * 6;
const IMAGE = 'https://images.example.com/a.png';
const VIDEO = {
  model: 'vendorq2-turbo',
  start_image: IMAGE,
  image_settings: [{ key_image: IMAGE }, { key_image: IMAGE }],
};
const ENV = {
  HEDDLE_SURFACE: 'managed',
  HEDDLE_BOOTSTRAP_KEY: KEY_FOR_TESTS,
  HEDDLE_WORKERS: '0',
  HEDDLE_VIDEOVENDOR_URL: 'simulated',
  HEDDLE_PROXY_TIMEOUT_S: '1',
  HEDDLE_PROXY_POLL_S: '0.2',
};

/** Whether the client pays where the process ends: only once the vendor's id is noted, nothing of the task is lost. */
const KILLS: readonly (readonly [Point, boolean])[] = [
  ['proxy.task.opened', false],
  ['proxy.task.reserved', false],
  ['proxy.task.calling', false],
  ['proxy.task.answered', false],
  ['proxy.task.under-way', true],
  ['proxy.task.ended', true],
  ['proxy.task.settled', true],
];

/** Before the vendor's call, a database that crashes may forget the task, and then the ledger has forgotten it too. */
const WITH_DATABASE: readonly Point[] = ['proxy.task.opened', 'proxy.task.reserved', 'proxy.task.calling'];

describe('a partner proxy that is killed between each two steps of a task', { timeout: 120_000 }, () => {
  let first: Standalone;
  let paid = 0;
  let kept = 0;

  const operator = async (command: string): Promise<unknown> => {
    const { code, err, lines } = await runCli([...command.split(' '), '--json'], { HEDDLE_DATA: first.dataDir });
    expect({ command, code, err }).toEqual({ command, code: 0, err: '' });
    return lines()[0];
  };
  const again = async (failpoints = '', settings: Readonly<Record<string, string>> = {}): Promise<Standalone> =>
    await startStandalone({
      env: { ...ENV, HEDDLE_FAILPOINTS: failpoints, ...settings },
      ...{ dataDir: first.dataDir, port: first.port },
    });
  const tasks = async (which = 'true'): Promise<number> =>
    await withDatabase(first.dataDir, async (client) => {
      const sql = `select count(*)::int as n from partner_proxy.task where ${which}`;
      return (await client.query<{ n: number }>(sql)).rows[0]!.n;
    });
  const openTasks = async (): Promise<number> => await tasks(`step <> 'over'`);

  beforeAll(async () => {
    first = await startStandalone({ env: ENV });
    await operator(`credits grant default ${GRANTED}`);
    await first.kill9();
  }, 120_000);
  afterAll(() => first.stop());

  /** Ends the process at the point, while it makes a task. */
  const killedAt = async (point: Point): Promise<void> => {
    const doomed = await again(`${point}=kill@1`);
    const headers = { authorization: `Bearer ${KEY_FOR_TESTS}` };
    const url = `${doomed.url}/registry/proxy/videovendor/multiframe`;
    const asking = fetch(url, { method: 'POST', headers, body: JSON.stringify(VIDEO) }).catch(() => null);
    try {
      const ending = await within(`the kill at ${point}`, doomed.ended, KILLED_WITHIN_MS);
      expect(ending).toEqual({ code: null, signal: 'SIGKILL' });
    } finally {
      await doomed.kill9();
      await asking;
    }
  };
  /** What the next process makes of the task. */
  const settledOnce = async (isPaid: boolean): Promise<void> => {
    const next = await again();
    try {
      // Nobody asks the proxy: what was left open opens it.
      await eventually('the end of the task', async () => (await openTasks()) === 0);
      if (isPaid) paid += 1;
      expect(await operator('credits show default')).toMatchObject({
        reserved: 0,
        charged: paid * PRICE,
        balance: GRANTED - paid * PRICE,
      });
      expect(await operator('credits check')).toMatchObject({ problems: [] });
    } finally {
      await next.kill9();
    }
  };

  it.each(KILLS)('at %s, settles the task once', async (point, isPaid) => {
    await killedAt(point);
    await settledOnce(isPaid);
  });

  it.each(WITH_DATABASE)('at %s with its database, settles the task once', async (point) => {
    const before = await tasks();
    await killedAt(point);
    process.kill(serverOf(first.dataDir)!.running()!.pid, 'SIGKILL');
    await settledOnce(false);
    kept += (await tasks()) - before;
    // What calls the vendor is on disk before the call.
    if (point === 'proxy.task.calling') expect(await tasks()).toBe(before + 1);
  });

  it('is paid as before after its tasks are purged', async () => {
    expect(await tasks()).toBe(KILLS.length + kept);
    // Nobody asks the proxy: what is past its retention opens it.
    const next = await again('', { HEDDLE_PROXY_RETENTION_S: '0.1' });
    try {
      await eventually('the purge of the tasks', async () => (await tasks()) === 0);
      expect(await operator('credits show default')).toMatchObject({ reserved: 0, charged: paid * PRICE });
      expect(await operator('credits check')).toMatchObject({ problems: [] });
    } finally {
      await next.kill9();
    }
  });

  it('was killed at every point that the proxy has', () => {
    expect(KILLS.map(([point]) => point).sort()).toEqual([...PARTNER_PROXY_FAILPOINTS].sort());
  });
});
