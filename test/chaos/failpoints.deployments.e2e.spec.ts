import { DEPLOYMENTS_FAILPOINTS } from '@heddle/deployments';
import { sleepingGraph, textGraph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueWithout, ranOn, RepinnedDeployment } from '../scenarios/repinned-heddle.ts';
import { startKeyed } from '../security/keyed-heddle.ts';
import type { KeyedHeddle } from '../security/keyed-heddle.ts';

const ENV = { HEDDLE_LEASE_S: '0.8' };

describe('a service that is killed at every step of a re-pin', { timeout: 120_000 }, () => {
  let first: KeyedHeddle;
  let key: string;
  const accepted: string[] = [];
  const killed: string[] = [];

  beforeAll(async () => {
    first = await startKeyed(ENV);
    const environment = { engine: 'builtin', catalogue: catalogueWithout('ImageInvert') };
    await first.admin('POST', 'deployments', { label: 'alpha', environment });
    key = await first.keyOf('acme');
  }, 60_000);
  afterAll(() => first.stop());

  const deployment = (heddle: KeyedHeddle): RepinnedDeployment =>
    new RepinnedDeployment(heddle, 'alpha', key, accepted);
  const restart = (more: Readonly<Record<string, string>> = {}): Promise<KeyedHeddle> =>
    startKeyed({ ...ENV, ...more }, { dataDir: first.dataDir, port: first.port });
  /** Ends by itself at the failpoint, perhaps before it answers to `work`. */
  async function killedAt(
    point: (typeof DEPLOYMENTS_FAILPOINTS)[number],
    work: (alpha: RepinnedDeployment) => Promise<unknown>,
  ): Promise<void> {
    const doomed = await restart({ HEDDLE_FAILPOINTS: `${point}=kill@1` });
    await work(deployment(doomed)).catch(() => undefined);
    expect((await doomed.ended).signal).toBe('SIGKILL');
    killed.push(point);
  }

  it('loses no job, ends each once, and runs each on its own environment', async () => {
    const alpha = deployment(first);
    await alpha.reached('a ready deployment', ({ status }) => status === 'ready');
    for (let job = 0; job < 4; job += 1) expect((await alpha.submit(sleepingGraph(0.3))).status).toBe(201);
    await first.kill9();

    // The request is committed, and its answer is lost.
    await killedAt('deployments.change.after-commit', (blue) => blue.change('repin', { engine: 'builtin' }));
    // A worker of revision 2 polls, and then revision 1 has ended its jobs.
    await killedAt('deployments.change.before-commit', (blue) => blue.submit(textGraph()));
    await killedAt('deployments.intake.closed', (blue) => blue.submit(textGraph()));

    expect(killed.toSorted()).toEqual(DEPLOYMENTS_FAILPOINTS.toSorted());

    const last = await restart();
    try {
      const green = deployment(last);
      expect(await green.reached('revision 2', ({ revision }) => revision === 2)).toMatchObject({
        next_revision: null,
      });
      expect((await green.submit(textGraph())).status).toBe(201);
      expect(await green.ends()).toEqual(['succeeded, 200']);
      const ran = await ranOn(first.dataDir);
      expect(ran.map(({ revision, of_one_revision: one }) => [revision, one])).toEqual([
        [1, true],
        [2, true],
      ]);
      expect(ran.reduce((sum, { jobs }) => sum + jobs, 0)).toBeGreaterThanOrEqual(accepted.length);
      await green.reached('one pool', ({ workers }) => workers === 1);
    } finally {
      await last.terminate();
    }
  });
});
