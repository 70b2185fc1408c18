import { setTimeout as wait } from 'node:timers/promises';
import { startSimulatedVendor } from '@heddle/partner-proxy-simulated-vendor';
import { freePort } from '@heddle/platform-database';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ACCOUNTS, TestProxy } from '../partner-proxy.fixture.js';
import type { ProxyAnswer } from '../partner-proxy.fixture.js';
import { TaskCreditsFake } from '@heddle/testing-jobs';

const PACE_MS = 50;
const AWAY_MS = 6_000;
/** Until the breaker has let a call through that finds the vendor there again, with a margin for a busy machine. */
const REST_MS = 14_000;

describe('a vendor that is away under 20 requests a second', () => {
  const ledger = new TaskCreditsFake(1_000_000);
  let port: number;
  let proxy: TestProxy;
  beforeAll(async () => {
    port = await freePort();
    // Long enough for a busy machine: nothing here is to end by its time-out.
    proxy = await TestProxy.open({ timeoutMs: 15_000 }, ledger, `http://127.0.0.1:${port}`);
  });
  afterAll(() => proxy.close());

  /** Answers in the order of the requests, one each 50 ms, until `enough`. */
  async function load(enough: (answers: readonly ProxyAnswer[]) => boolean, forMs: number): Promise<ProxyAnswer[]> {
    const answers: ProxyAnswer[] = [];
    const asked: Promise<void>[] = [];
    for (const end = Date.now() + forMs; Date.now() < end && !enough(answers); await wait(PACE_MS))
      asked.push(proxy.video().then((answer) => void answers.push(answer)));
    await Promise.all(asked);
    return answers;
  }

  it('is left alone, costs nothing, and is back by itself', { timeout: 40_000 }, async () => {
    const away = await load(() => false, AWAY_MS);
    expect(away.length).toBeGreaterThan(AWAY_MS / PACE_MS / 3);
    expect(new Set(away.map(({ status }) => status))).toEqual(new Set([502, 503]));
    // A request or two may have been on their way when the breaker opened.
    expect(away.filter(({ status }) => status === 502).length).toBeLessThan(10);
    for (const { headers } of away.filter(({ status }) => status === 503)) {
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(10);
    }
    expect([ledger.balanceOf(ACCOUNTS['key-ann']), new Set(ledger.charged.values())]).toEqual([
      1_000_000,
      new Set([0]),
    ]);
    expect(await proxy.metrics.metrics()).toMatch(
      /heddle_proxy_vendor_calls_total\{[^}]*outcome="resting"[^}]*\} [1-9]/,
    );

    const imageWebhookSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const keys = { videoKey: proxy.vendorKey, imageKey: proxy.vendorKey, imageWebhookSecret };
    const vendor = await startSimulatedVendor({ ...keys, port });
    onTestFinished(() => vendor.close());
    const back = await load((answers) => answers.filter(({ status }) => status === 200).length >= 20, REST_MS);
    const first = back.findIndex(({ status }) => status === 200);
    expect(first).toBeGreaterThan(0);
    expect(new Set(back.slice(0, first).map(({ status }) => status))).toEqual(new Set([503]));
    // Requests that the breaker had answered before the first success may end after it.
    const late = back.slice(first).map(({ status }) => status);
    expect(new Set(late.slice(5))).toEqual(new Set([200]));
    const { task_id: taskId } = back[first]!.body as { task_id: string };
    await proxy.until(
      () => proxy.readVideo(taskId),
      ({ state }) => state === 'success',
    );
  });
});
