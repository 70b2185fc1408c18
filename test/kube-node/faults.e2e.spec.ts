import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, HeddleClient, jsonOf, textGraph, type Answer, type Job } from '@heddle/testing-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHeddleImage } from '../../tools/images/make-heddle-image.ts';
import type { ClusterObject } from '../../tools/kube/control-plane/kubectl.ts';
import { SmallDisk } from '../chaos/campaign/small-disk.ts';
import { at, ROOT } from '../charts/charts.ts';
import { killPod } from './pod-processes.fixture.ts';
import { isReady, restartsOf } from './pod-states.fixture.ts';
import { BUILD_MS, IN, nodeKube, tell, type NodeKube } from './real-kube.fixture.ts';
import { giveCertificateUntil, giveShortToken, TOKEN_LIFE_MS } from './short-lived.fixture.ts';

const STEP_MS = 600_000;
/**
 * The kubelet updates the files of a changed Secret within about a minute and a half, and waits longer and longer before it
 * starts a container again.
 */
const PATIENCE = { timeout: 240_000, interval: 1_000 };
const DATABASE_MIB = 1_024;
/** Large, because PostgreSQL has space in segments of its log that it uses again. */
const TEXT_BYTES = 600_000;

/** In the order of the story: each step finds a release that works. */
describe('a release whose surroundings fail', { timeout: STEP_MS }, () => {
  let disk: SmallDisk;
  let kube: NodeKube;
  let client: HeddleClient;
  let owner: pg.Pool;
  beforeAll(async () => {
    const mounted = SmallDisk.mount(DATABASE_MIB);
    if (typeof mounted === 'string') throw new Error(mounted);
    disk = mounted;
    kube = await nodeKube('managed', disk.folder);
    owner = new pg.Pool({ connectionString: kube.servers.ownerUrl, max: 1 });
    owner.on('error', () => undefined);
    const image = await makeHeddleImage(ROOT);
    await kube.images.import(image);
    await kube.install(image.tag);
    const url = await kube.openApi(kube.apiPort);
    client = await HeddleClient.connect(url, { token: kube.keys.apiKey, signedUrls: true });
  }, BUILD_MS);
  afterAll(async () => {
    await owner?.end();
    await kube?.remove();
    disk?.unmount();
  }, STEP_MS);

  const runsJobs = async (): Promise<void> => {
    const { id } = await client.submitted(textGraph());
    await client.reached(id, 'succeeded');
  };
  const waitsFor = async (pod: ClusterObject): Promise<string> =>
    await fetch(`http://${String(pod.status?.['podIP'])}:9189/readyz`).then(
      async (answer) => await answer.text(),
      (error: unknown) => String(error),
    );

  it('keeps jobs while the token of its workers has expired', async () => {
    await runsJobs();
    const renew = await giveShortToken(kube);
    await delay(TOKEN_LIFE_MS);
    const worker = async (): Promise<ClusterObject> => (await kube.pods('worker'))[0]!;
    // A stream that is open stays so; a worker that starts again needs a token that is good.
    const restarted = async (): Promise<string> => {
      const pod = await worker();
      if (isReady(pod)) killPod(pod.metadata.uid);
      return await waitsFor(pod);
    };
    await expect.poll(restarted, PATIENCE).toMatch(/expired/);
    tell(`worker: ${await waitsFor(await worker())}`);
    const { id } = await client.submitted(textGraph());
    await delay(5_000);
    expect((await client.jobNow(id)).status).toBe('queued');
    const restarts = restartsOf(await worker());
    await renew();
    await expect.poll(async () => (await client.jobNow(id)).status, PATIENCE).toBe('succeeded');
    expect(restartsOf(await worker())).toBe(restarts);
  });

  it('refuses a certificate that has expired, and goes on with the one it has', async () => {
    const restore = await giveCertificateUntil(kube, new Date(Date.now() - 60_000));
    const logs = async (): Promise<string> =>
      await kube.kubectl.run('logs', 'deployment/heddle-gateway', ...IN, '--all-pods', '--tail=200');
    await expect.poll(logs, PATIENCE).toContain('the renewed certificate of the calls cannot be used');
    await runsJobs();
    await restore();
    await expect.poll(logs, PATIENCE).toContain('new connections get the renewed certificate');
    await runsJobs();
  });

  it('says which certificate has expired when a pod starts with it, and serves once it is renewed', async () => {
    await runsJobs();
    const restore = await giveCertificateUntil(kube, new Date(Date.now() - 60_000));
    /** Of the last end of a pod of jobs; kills those that run. */
    const endMessage = async (): Promise<string> => {
      for (const pod of await kube.pods('jobs')) if (isReady(pod)) killPod(pod.metadata.uid);
      const [pod] = await kube.pods('jobs');
      const state = at(pod, 'status.containerStatuses.0.lastState.terminated') as { message?: string } | undefined;
      return state?.message ?? '';
    };
    await expect.poll(endMessage, PATIENCE).toContain('the certificate expired on');
    tell(`jobs: ${(await endMessage()).trim().split('\n').at(-1)}`);
    const refused = await client.submit(textGraph());
    expect([refused.status, codeOf(refused)]).toEqual([500, 'upstream_error']);
    await restore();
    await kube.kubectl.run('delete', 'pods', ...IN, '-l', 'app.kubernetes.io/component=jobs', '--wait=false');
    const serves = async (): Promise<number> => (await client.submit(textGraph())).status;
    await expect.poll(serves, PATIENCE).toBe(201);
    await runsJobs();
    await kube.kubectl.run('rollout', 'status', 'deployment/heddle-jobs', ...IN, '--timeout=240s');
  });

  it('loses nothing when the disk of the database is full', async () => {
    const acknowledged: string[] = [];
    const statuses = new Map<number, number>();
    const submit = async (): Promise<void> => {
      const answer: Answer = await client.submit(textGraph(randomBytes(TEXT_BYTES).toString('base64')));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 201) acknowledged.push(jsonOf<Job>(answer).id);
    };
    for (let round = 0; round < 20; round++) await submit();
    const place = await owner.query<{ data_directory: string }>('show data_directory');
    expect(place.rows[0]?.data_directory.startsWith(`${disk.folder}/`)).toBe(true);
    await disk.fill();
    for (const until = performance.now() + 60_000; performance.now() < until && !statuses.has(500);) await submit();
    for (let round = 0; round < 10; round++) await submit();
    tell(`with a full disk: ${JSON.stringify([...statuses])}`);
    expect([...statuses.keys()].filter((status) => ![201, 500].includes(status))).toEqual([]);
    expect(statuses.get(500)).toBeGreaterThan(0);
    await disk.free();
    await expect.poll(async () => (await client.submit(textGraph())).status, PATIENCE).toBe(201);
    for (const id of acknowledged) await client.reached(id, 'succeeded');
  });
});
