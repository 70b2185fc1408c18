import type { DeploymentId } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { GONE_MS, SeenPools } from './seen-pools.js';
import type { PoolChanges } from './seen-pools.js';
import { KEPT_MS } from './worker-presence.sql.js';

const DEPLOYMENT = 'd' as DeploymentId;
const START = 1_000_000;

describe('the pools of all replicas', () => {
  const seen = (pools: SeenPools, now: number, changes: Partial<PoolChanges>): ReadonlySet<DeploymentId> =>
    pools.apply({ next: '1', now, pools: [], replicas: new Map(), ...changes });
  const row = (replica: string, workers: number, seenAt: number) => ({
    replica_id: replica,
    deployment_id: DEPLOYMENT,
    revision: 1,
    workers,
    seen_at: seenAt,
  });

  it('given restarts of replicas, keeps what the last day needs and no more', () => {
    const pools = new SeenPools();
    for (let restart = 0; restart < 50; restart++) {
      const at = START + restart * KEPT_MS;
      const name = `replica ${restart}`;
      seen(pools, at, { pools: [row(name, 2, at)], replicas: new Map([[name, at]]) });
      expect(pools.polling(DEPLOYMENT)).toEqual(new Set([1]));
      expect(seen(pools, at + 1_000, { pools: [row(name, 0, at + 1_000)] })).toEqual(new Set([DEPLOYMENT]));
      expect(pools.silentMs(DEPLOYMENT, 1)).toBe(0);
    }
    expect(pools.size).toBeLessThanOrEqual(2);
  });

  it('given replicas that were killed, keeps their workers until the store drops the replica', () => {
    const pools = new SeenPools();
    const killed = new Map([['killed', START]]);
    seen(pools, START, { pools: [row('killed', 2, START)], replicas: killed });
    expect(seen(pools, START + GONE_MS, { replicas: killed })).toEqual(new Set([DEPLOYMENT]));
    expect(pools.polling(DEPLOYMENT)).toEqual(new Set());
    expect(pools.silentMs(DEPLOYMENT, 1)).toBe(GONE_MS);
    seen(pools, START + KEPT_MS, {});
    expect(pools.size).toBe(0);
    expect(pools.silentMs(DEPLOYMENT, 1)).toBe(Number.POSITIVE_INFINITY);
  });

  it('given workers here and elsewhere, say how long the others have been silent', () => {
    const pools = new SeenPools();
    const both = (at: number) =>
      new Map([
        ['here', at],
        ['other', at],
      ]);
    seen(pools, START, { pools: [row('here', 1, START), row('other', 1, START)], replicas: both(START) });
    // Heard a second ago, but polling: not silent.
    seen(pools, START + 1_000, { replicas: both(START) });
    expect(pools.silentElsewhereMs(DEPLOYMENT, 1, 'here')).toBe(0);
    const leftAt = START + 2_000;
    seen(pools, START + 9_000, { pools: [row('other', 0, leftAt)], replicas: both(START + 9_000) });
    expect(pools.silentElsewhereMs(DEPLOYMENT, 1, 'here')).toBe(7_000);
    expect(pools.silentElsewhereMs(DEPLOYMENT, 1, 'other')).toBe(0);
    expect(pools.silentElsewhereMs(DEPLOYMENT, 2, 'here')).toBe(Number.POSITIVE_INFINITY);
  });
});
