import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveryLoop } from '../send-callbacks/delivery-loop.js';
import { ACCOUNTS, TestProxy } from '../partner-proxy.fixture.js';
import { ProxyDepth } from './proxy-depth.js';

let proxy: TestProxy;
beforeAll(async () => {
  proxy = await TestProxy.open();
});
afterAll(() => proxy.close());

/** Values of a metric by their labels, as Prometheus reads them. */
async function valuesOf(metric: string): Promise<Readonly<Record<string, number>>> {
  await proxy.app.get(ProxyDepth).run();
  const lines = (await proxy.metrics.metrics()).split('\n').filter((line) => new RegExp(`^${metric}[ {]`).test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(metric.length, line.lastIndexOf(' ')), lastNumber(line)]));
}

function lastNumber(line: string): number {
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}

async function taskAt(step: string, agoSeconds: number): Promise<void> {
  await proxy.database.owner.query(
    `insert into partner_proxy.task (task_id, account_id, vendor, step, state, price, callback_token, step_at, polled_at)
     values (gen_random_uuid(), $1, 'video', $2, 'created', 1, md5(random()::text), heddle.clock_now() - $3::float8 * interval '1 second',
       heddle.clock_now())`,
    [ACCOUNTS['key-ann'], step, agoSeconds],
  );
}

describe('the gauges of the proxy', () => {
  it('count what is under way, and say since when', async () => {
    await taskAt('calling', 2);
    await taskAt('calling', 4);
    await taskAt('over', 900);
    expect(await valuesOf('heddle_proxy_tasks')).toEqual({
      '{step="reserving"}': 0,
      '{step="calling"}': 2,
      '{step="under_way"}': 0,
      '{step="settling"}': 0,
    });
    const ages = await valuesOf('heddle_proxy_step_age_seconds');
    expect(ages['{step="calling"}']).toBeGreaterThanOrEqual(4);
    expect(ages['{step="calling"}']).toBeLessThan(100);
    expect(ages['{step="settling"}']).toBe(0);
  });

  it('count deliveries, and say how late the latest is', async () => {
    const { owner } = proxy.database;
    await owner.query(
      `insert into partner_proxy.delivery (delivery_id, task_id, account_id, url, body, status, next_at)
       select gen_random_uuid(), task_id, account_id, 'https://hooks.example.com/', '{}', d.status, heddle.clock_now() + interval '1 hour'
       from partner_proxy.task, (values ('waiting'), ('dead'), ('dead'), ('delivered')) d(status) where step = 'over'`,
    );
    expect(await valuesOf('heddle_proxy_deliveries')).toEqual({ '{status="waiting"}': 1, '{status="dead"}': 2 });
    expect(await valuesOf('heddle_proxy_delivery_lag_seconds')).toEqual({ '': 0 });
    // Nobody sends it.
    await proxy.app.get(DeliveryLoop).stop();
    await proxy.database.advanceClock(3_660_000);
    const { '': lag = 0 } = await valuesOf('heddle_proxy_delivery_lag_seconds');
    expect(Math.floor(lag / 60)).toBe(1);
  });
});
