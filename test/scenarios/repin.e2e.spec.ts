import { jsonOf, sleepingGraph, textGraph } from '@heddle/testing-api';
import type { Graph } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKeyed } from '../security/keyed-heddle.ts';
import type { KeyedHeddle } from '../security/keyed-heddle.ts';
import { catalogueWithout, ranOn, RepinnedDeployment } from './repinned-heddle.ts';

/** Only the newer revision has the class ImageInvert. */
const inverted: Graph = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 7 } },
  '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'x' } },
};

describe('a deployment with jobs in flight', { timeout: 60_000 }, () => {
  let heddle: KeyedHeddle;
  let alpha: RepinnedDeployment;
  beforeAll(async () => {
    heddle = await startKeyed();
    const environment = { engine: 'builtin', catalogue: catalogueWithout('ImageInvert') };
    await heddle.admin('POST', 'deployments', { label: 'alpha', slots: 2, environment });
    alpha = new RepinnedDeployment(heddle, 'alpha', await heddle.keyOf('acme'));
    await alpha.reached('a ready deployment', ({ status }) => status === 'ready');
  }, 60_000);
  afterAll(() => heddle.stop());

  it('is re-pinned: each job runs on the environment that it was validated against', async () => {
    for (let job = 0; job < 8; job += 1) expect((await alpha.submit(sleepingGraph(0.25))).status).toBe(201);
    const refused = await alpha.submit(inverted);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(jsonOf(refused))).toContain('ImageInvert');

    const pinning = await alpha.change('repin', { engine: 'builtin' });
    expect(pinning).toMatchObject({ status: 'ready', revision: 1, next_revision: 2 });
    for (let job = 0; job < 3; job += 1) expect((await alpha.submit(textGraph())).status).toBe(201);
    const green = await alpha.reached('revision 2', ({ revision }) => revision === 2);
    // Two of each: the older ones work on, since their jobs have not ended.
    expect(green).toMatchObject({ status: 'ready', next_revision: null, workers: 2 });
    for (let job = 0; job < 3; job += 1) expect((await alpha.submit(inverted)).status).toBe(201);

    expect(await alpha.ends()).toEqual(['succeeded, 200']);
    const ran = await ranOn(heddle.dataDir);
    expect(ran.map(({ revision, of_one_revision: one }) => [revision, one])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(ran.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(alpha.accepted.length);
    expect(ran.every(({ leases, jobs }) => leases === jobs)).toBe(true);
    await alpha.reached('one pool', ({ workers }) => workers === 1);
  });

  it('stops under load once its last job has ended, and can be deleted', async () => {
    const load: Promise<number>[] = [];
    for (let job = 0; job < 40; job += 1) load.push(alpha.submit(textGraph()).then(({ status }) => status));
    await load[3];
    await alpha.change('drain');
    for (let job = 0; job < 40; job += 1) load.push(alpha.submit(textGraph()).then(({ status }) => status));
    expect([...new Set(await Promise.all(load))].toSorted()).toEqual([201, 429]);
    expect((await alpha.reached('a stop', ({ status }) => status === 'stopped')).reason).toBe('every job has ended');
    expect(await alpha.ends()).toEqual(['succeeded, 200']);
    expect(await heddle.admin('POST', 'deployments/alpha/delete')).toMatchObject({ status: 'deleted' });
  });
});
