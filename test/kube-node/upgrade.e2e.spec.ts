import { setTimeout as delay } from 'node:timers/promises';
import { HeddleClient, sleepingGraph } from '@heddle/testing-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Load } from './load.fixture.ts';
import { restartsOf } from './pod-states.fixture.ts';
import { BUILD_MS, nodeKube, tell, type NodeKube } from './real-kube.fixture.ts';
import { IN } from './real-kube.fixture.ts';
import { importBoth, PREVIOUS_CHART, type Tags } from './two-releases.fixture.ts';

const STEP_MS = 600_000;
const WAIT = ['--wait', '--timeout', '8m'];
const SETTLE_MS = 15_000;
const STREAMS = 50;
const UPLOAD_S = 40;
/** Of clients that return at once, and of those that wait for `retry:`. */
const MAX_BACK_MS = { atOnce: 3_000, hasWaited: 6_000 };
const FOLLOWED_S = 1_500;
/** Two, so that a job that runs for long leaves one for the others. */
const WORKERS = 2;

describe('an upgrade of all services under load', { timeout: STEP_MS }, () => {
  let kube: NodeKube;
  let owner: pg.Pool;
  let tags: Tags;
  let load: Load;
  let client: HeddleClient;
  beforeAll(async () => {
    kube = await nodeKube();
    owner = new pg.Pool({ connectionString: kube.servers.ownerUrl });
    tags = await importBoth(kube);
  }, BUILD_MS);
  afterAll(async () => {
    await load?.end();
    await owner?.end();
    await kube?.remove();
  }, STEP_MS);

  const stopping = async (): Promise<string[]> => {
    const pods = await kube.kubectl.list('pods', ...IN, '-l', 'app.kubernetes.io/component in (gateway,assets)');
    return pods.flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [metadata.name]));
  };

  /** By a probe, or because it reached a limit. */
  const restarted = async (): Promise<string[]> =>
    (await kube.kubectl.list('pods', ...IN)).filter((pod) => restartsOf(pod) > 0).map(({ metadata }) => metadata.name);

  it('begins with the previous image and the previous chart', async () => {
    const file = await kube.valuesFile(tags.previous, moreWorkers(kube));
    await kube.helm.run('install', 'heddle', PREVIOUS_CHART, '--values', file, ...WAIT);
    const url = await kube.openApi(kube.apiPort);
    client = await HeddleClient.connect(url, { token: kube.keys.apiKey, signedUrls: true });
    const followed = await client.submitted(sleepingGraph(FOLLOWED_S));
    await client.reached(followed.id, 'running');
    const streams = { jobId: followed.id, streams: STREAMS };
    load = new Load({ url, token: kube.keys.apiKey, perSecond: 20, followed: streams, uploadS: UPLOAD_S });
    await delay(SETTLE_MS);
    expect(load.failures).toEqual([]);
    tell(`before the upgrade: p50 ${load.quantile(0.5).toFixed()} ms, p99 ${load.quantile(0.99).toFixed()} ms`);
  });

  it.each([
    {
      what: 'goes to this image and this chart',
      // When they stop, gateways of the previous image cut idle connections at once, also those on which a request is under
      // way, and assets cuts an upload after 5 s.
      mayCut: true,
      change: async () => await kube.install(tags.current, moreWorkers(kube)),
    },
    {
      what: 'goes back',
      mayCut: false,
      change: async () => {
        const startedAt = performance.now();
        await kube.helm.run('rollback', 'heddle', '1', ...WAIT);
        return (performance.now() - startedAt) / 1_000;
      },
    },
  ])('$what, and every request is answered', async ({ what, mayCut, change }) => {
    const [from, ends, failed] = [load.tookMs.length, load.streamEnds.length, load.failures.length];
    const tookS = await change();
    // Pods that stop still serve uploads: what they do belongs to this step.
    await expect.poll(stopping, { timeout: 120_000, interval: 1_000 }).toEqual([]);
    await delay(SETTLE_MS);
    const newEnds = load.streamEnds.slice(ends);
    const back = (waited: boolean): number =>
      Math.max(0, ...newEnds.filter(({ hasWaited }) => hasWaited === waited).map(({ backMs }) => backMs));
    tell(
      `${what}: ${tookS.toFixed(1)} s, ${load.tookMs.length - from} submissions, ` +
        `p50 ${load.quantile(0.5, from).toFixed()} ms, p99 ${load.quantile(0.99, from).toFixed()} ms, ` +
        `${load.failures.length - failed} failed, ${load.refusals} refused with 429, ${load.uploads} uploads, ` +
        `${newEnds.length} streams ended, ${newEnds.filter(({ wasTold }) => wasTold).length} told, ` +
        `back within ${back(false).toFixed()} ms, and ${back(true).toFixed()} ms after waiting`,
    );
    for (const line of load.failures.slice(failed, failed + 20)) tell(`  ${line}`);
    const isCut = (line: string): boolean =>
      line.includes('on a connection that had been used') || line.includes('POST /api/v2/assets');
    expect(load.failures.slice(failed).filter((line) => !mayCut || !isCut(line))).toEqual([]);
    expect(newEnds.length).toBeGreaterThan(0);
    expect(newEnds.filter(({ wasTold }) => !wasTold)).toEqual([]);
    expect(back(false)).toBeLessThan(MAX_BACK_MS.atOnce);
    expect(back(true)).toBeLessThan(MAX_BACK_MS.hasWaited);
    expect(await restarted()).toEqual([]);
  });

  it('leaves every acknowledged job with one end, and cuts no job that runs', async () => {
    await load.end();
    const { rows: lost } = await owner.query<{ data: string }>(
      `select encode(data, 'escape') as data from jobs.event where type = 'LeaseLost'`,
    );
    const ended = async (): Promise<Map<string, number>> => {
      const { rows } = await owner.query<{ id: string; ends: number }>(
        `select stream_id::text as id, count(*)::int as ends from jobs.event
          where type in ('JobSucceeded', 'JobFailed', 'JobCanceled', 'JobExpired') group by stream_id`,
      );
      return new Map(rows.map(({ id, ends }) => [id, ends]));
    };
    const open = async (): Promise<number> => {
      const ends = await ended();
      return load.acknowledged.filter((id) => !ends.has(id)).length;
    };
    await expect.poll(open, { timeout: 500_000, interval: 2_000 }).toBe(0);
    const ends = await ended();
    tell(`${load.acknowledged.length} jobs acknowledged, ${lost.length} leases lost`);
    for (const { data } of lost) tell(`  ${data}`);
    expect(load.acknowledged.filter((id) => ends.get(id) !== 1)).toEqual([]);
    // A job that a stopping worker had not begun is handed back.
    expect(lost.filter(({ data }) => !data.includes('handed_back'))).toEqual([]);
  });
});

/**
 * Workers that keep up with the load: more of them, each with several small engines. Services stop so slowly that an upload
 * that has begun comes to its end.
 */
function moreWorkers(kube: NodeKube): object {
  const { workers, services } = kube.valuesOf('') as {
    readonly workers: object;
    readonly services: Record<'gateway' | 'assets', object>;
  };
  const slow = { stopSeconds: UPLOAD_S + 20 };
  return {
    workers: { ...workers, replicas: WORKERS, slots: 4, engineMemoryMb: 256 },
    services: { ...services, gateway: { ...services.gateway, ...slow }, assets: { ...services.assets, ...slow } },
  };
}
