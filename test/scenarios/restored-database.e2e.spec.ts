import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { startTestCluster } from '@heddle/testing-cluster';
import type { TestCluster, TestClusterOptions } from '@heddle/testing-cluster';
import { freshBytes, HeddleClient, isTerminalFrame, sleepingGraph, textGraph } from '@heddle/testing-api';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { describeOnServers } from './on-cluster.js';

const SETTINGS = { HEDDLE_TEST_NODES: '1', HEDDLE_READ_RATE: '1000' };
const OPTIONS: TestClusterOptions = { env: SETTINGS, replicas: 'gateway=1,jobs=2,worker=1' };
/** Ten seconds without messages, plus the time of a busy machine to read the log */
const CAUGHT_UP_WITHIN_MS = 90_000;
const TEST_TIMEOUT_MS = 300_000;

await describeOnServers('a database that is restored to an hour ago beside a newer bucket and a newer broker', (on) => {
  let cluster: TestCluster | undefined;
  const folder = (): string => on().servers.postgres!.dataDir;
  const backup = (): string => `${folder()}.backup`;
  /** Copies with owners and modes. */
  const copied = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);

  afterAll(async () => {
    await cluster?.kill();
    rmSync(backup(), { recursive: true, force: true });
  });

  async function started(options: TestClusterOptions = {}): Promise<HeddleClient> {
    cluster = await startTestCluster(on().place, { ...OPTIONS, ...options });
    return await HeddleClient.connect(cluster.url);
  }

  /** Stops everything during the copy, as for a copy of a volume. */
  async function whileDown(copy: () => void): Promise<void> {
    await cluster?.stop();
    const { server, start } = on().servers.postgres!;
    await server.stop();
    copy();
    await start();
  }

  const number = async (sql: string): Promise<number> => {
    const owner = new pg.Client({ connectionString: on().place.ownerUrl });
    await owner.connect();
    try {
      return Number((await owner.query<{ n: string }>(`select (${sql}) as n`)).rows[0]!.n);
    } finally {
      await owner.end();
    }
  };
  const finished = async (client: HeddleClient, count: number): Promise<string[]> => {
    const jobs = await Promise.all(Array.from({ length: count }, () => client.submitted(textGraph())));
    for (const { id } of jobs) await client.reached(id, 'succeeded');
    return jobs.map(({ id }) => id);
  };
  const uploaded = async (client: HeddleClient) => {
    const bytes = freshBytes(20_000);
    return { bytes, id: (await client.uploaded({ bytes, file_path: 'x.bin' })).id };
  };

  it('forgets that hour, keeps all before it, and goes on', { timeout: TEST_TIMEOUT_MS }, async () => {
    let client = await started();
    const kept = await finished(client, 3);
    const asset = await uploaded(client);
    const halfway = await client.submitted(sleepingGraph(120));
    await client.reached(halfway.id, 'running');
    await whileDown(() => copied(folder(), backup()));

    // The hour that will be lost. The logs service is down, so its messages wait at the broker.
    client = await started({ without: ['logs'] });
    await client.cancel(halfway.id);
    await client.reached(halfway.id, 'canceled');
    const lost = await finished(client, 5);
    const lostAsset = await uploaded(client);
    await whileDown(() => {
      rmSync(folder(), { recursive: true });
      copied(backup(), folder());
    });

    client = await started();
    expect((await client.content(asset.id)).bytes.equals(asset.bytes)).toBe(true);
    for (const id of kept) expect((await client.jobNow(id)).status).toBe('succeeded');
    for (const id of lost) expect((await client.request('GET', `/api/v2/jobs/${id}`)).status).toBe(404);
    expect((await client.content(lostAsset.id)).status).toBe(404);
    // The cancel was in the lost hour, so the job runs again.
    await client.reached(halfway.id, 'running');
    const stream = await client.events(halfway.id);
    await client.cancel(halfway.id);
    expect(isTerminalFrame((await stream.all()).at(-1)!)).toBe(true);
    await client.reached(halfway.id, 'canceled');

    const after = await finished(client, 5);
    for (const id of after) {
      const [output] = (await client.jobNow(id)).outputs;
      expect((await client.content(output!.id)).status).toBe(200);
    }
    // The logs service first received the lost events, and then noticed that other events replaced them.
    await expect.poll(() => cluster!.logs(), { timeout: CAUGHT_UP_WITHIN_MS }).toMatch(/a database was restored/);
    // The same bytes as in the lost hour: they are in the bucket, but in no row.
    const again = await client.uploaded({ bytes: lostAsset.bytes, file_path: 'x.bin' });
    expect((await client.content(again.id)).bytes.equals(lostAsset.bytes)).toBe(true);
    const behind = (schema: string): Promise<number> =>
      number(`(select seq from jobs.seq_cursor) - (select coalesce(max(seq), 0) from ${schema}.inbox_place)`);
    for (const schema of ['assets', 'logs']) {
      await expect.poll(() => behind(schema), { timeout: CAUGHT_UP_WITHIN_MS, interval: 500 }).toBe(0);
    }
    expect(await number('select count(*) from assets.hold where released_at is null')).toBe(0);
    expect(await number('select count(*) from logs.inbox where failure is not null')).toBe(0);
    expect(cluster!.crashes()).toEqual([]);
  });
});
