import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HeddleClient, jsonOf, sleepingGraph, type Job } from '@heddle/testing-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHeddleImage } from '../../tools/images/make-heddle-image.ts';
import { installDemo } from '../../tools/kube/cluster/install-demo.ts';
import { at, ROOT } from '../charts/charts.ts';
import { DemoClient } from './demo-client.fixture.ts';
import { ENGINE, ENGINE_RESOURCES, engineEnvironment, makeEngineImage } from './engine-image.fixture.ts';
import { BUILD_MS, IN, nodeKube, tell, type NodeKube } from './real-kube.fixture.ts';

const STEP_MS = 300_000;
const JOB_S = 20;
const PATIENCE = { timeout: 120_000, interval: 500 };

interface ContainerState {
  readonly running?: object;
  readonly terminated?: { readonly finishedAt: string };
}

/** In the order of the story: each step finds what the one before left. */
describe('a worker with its engine beside it', { timeout: STEP_MS }, () => {
  let kube: NodeKube;
  let owner: pg.Pool;
  let demo: DemoClient;
  let jobId: string;
  beforeAll(async () => {
    kube = await nodeKube();
    owner = new pg.Pool({ connectionString: kube.servers.ownerUrl, max: 1 });
    const image = await makeHeddleImage(ROOT);
    const digest = await kube.images.import(image);
    const folder = kube.places.configs;
    const engine = await makeEngineImage(ROOT, folder);
    const { repository, ...place } = ENGINE;
    const from = {
      image: { repository, digest: await kube.images.import(engine) },
      ...place,
      resources: ENGINE_RESOURCES,
    };
    await kube.install(image.tag);
    const environmentFile = await engineEnvironment(join(folder, 'engine'));
    await installDemo(kube, digest, { engine: from, environmentFile });
    const url = await kube.openApi(kube.apiPort);
    demo = DemoClient.of(kube, await HeddleClient.connect(url, { token: kube.keys.apiKey }));
  }, BUILD_MS);
  afterAll(async () => {
    await owner?.end();
    await kube?.remove();
  }, STEP_MS);

  const statusOf = async (): Promise<string> => await demo.statusOf(jobId);

  it('runs jobs on it', async () => {
    const submit = async (): Promise<number> => {
      const answer = await demo.submit(sleepingGraph(JOB_S));
      if (answer.status === 201) jobId = jsonOf<Job>(answer).id;
      return answer.status;
    };
    await expect.poll(submit, PATIENCE).toBe(201);
    await expect.poll(statusOf, PATIENCE).toBe('running');
  });

  it('ends its job before its engine is stopped', async () => {
    const [pod] = await kube.pods('worker', 'demo');
    const { name } = pod!.metadata;
    await kube.kubectl.run('delete', 'pod', name, ...IN, '--wait=false');
    const seen: (readonly [worker: ContainerState, engine: ContainerState])[] = [];
    for (; ; await delay(100)) {
      const { code, out } = await kube.kubectl.ending(['get', 'pod', name, ...IN, '-o', 'json']);
      if (code !== 0) break;
      const now: unknown = JSON.parse(out);
      const stateOf = (list: string): ContainerState => at(now, `status.${list}.0.state`) as ContainerState;
      seen.push([stateOf('containerStatuses'), stateOf('initContainerStatuses')]);
    }
    expect(await statusOf()).toBe('succeeded');
    expect(seen.length).toBeGreaterThan(JOB_S / 2);
    for (const [worker, engine] of seen) if (worker.running !== undefined) expect(engine.running).toBeDefined();
    const [worker, engine] = seen.at(-1)!;
    tell(`the worker ended at ${worker.terminated?.finishedAt}, its engine at ${engine.terminated?.finishedAt}`);
    const { rows } = await owner.query<{ type: string }>('select type from jobs.event where stream_id = $1', [jobId]);
    expect(rows.map(({ type }) => type).filter((type) => type === 'JobLeased' || type === 'LeaseLost')).toEqual([
      'JobLeased',
    ]);
  });
});
