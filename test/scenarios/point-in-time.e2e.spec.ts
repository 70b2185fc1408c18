import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { readSettings } from '@heddle/composition';
import { prepareTopics } from '@heddle/composition/prepare-cluster';
import { startTestCluster } from '@heddle/testing-cluster';
import type { TestCluster } from '@heddle/testing-cluster';
import { freshBytes, HeddleClient, sleepingGraph, textGraph } from '@heddle/testing-api';
import { Kafka, logLevel } from 'kafkajs';
import type { Admin } from 'kafkajs';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { ArchivedPostgres } from './archived-postgres.fixture.js';
import { describeOnServers } from './on-cluster.js';
import { runCli } from './run-cli.js';
import type { Ended } from './run-cli.js';

const OPTIONS = { env: { HEDDLE_TEST_NODES: '1', HEDDLE_READ_RATE: '1000' }, replicas: 'gateway=1,jobs=2,worker=1' };
const CAUGHT_UP_WITHIN_MS = 90_000;
const TEST_TIMEOUT_MS = 400_000;

/** The rehearsal of docs/how-to/back-up-and-restore.md. */
await describeOnServers('PostgreSQL, the bucket and all topics are lost', (on) => {
  let cluster: TestCluster | undefined;
  let admin: Admin | undefined;
  const bucket = (): string => join(on().servers.objectsDir, on().place.bucket);
  const bucketCopy = (): string => `${on().place.dataDir}.bucket`;
  /** With the attributes in which this S3 server keeps what it knows of an object. */
  const copied = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);

  afterAll(async () => {
    await cluster?.kill();
    await admin?.disconnect();
    rmSync(bucketCopy(), { recursive: true, force: true });
  });

  const environment = (): Record<string, string> => ({
    HEDDLE_KAFKA_BROKERS: on().servers.brokers.join(','),
    HEDDLE_KAFKA_PREFIX: on().place.topicPrefix,
    HEDDLE_KAFKA_PARTITIONS: '2',
    HEDDLE_DATABASE_URL: on().place.databaseUrls.jobs,
  });
  const heddle = (...words: string[]): Promise<Ended> => runCli(words, environment());
  const number = async (sql: string): Promise<number> => {
    const owner = new pg.Client({ connectionString: on().place.ownerUrl });
    await owner.connect();
    try {
      return Number((await owner.query<{ n: string }>(`select (${sql}) as n`)).rows[0]!.n);
    } finally {
      await owner.end();
    }
  };
  async function started(): Promise<HeddleClient> {
    cluster = await startTestCluster(on().place, OPTIONS);
    return await HeddleClient.connect(cluster.url);
  }
  const finished = async (client: HeddleClient, count: number): Promise<string[]> => {
    const jobs = await Promise.all(Array.from({ length: count }, () => client.submitted(textGraph())));
    for (const { id } of jobs) await client.reached(id, 'succeeded');
    return jobs.map(({ id }) => id);
  };
  const uploaded = async (client: HeddleClient) => {
    const bytes = freshBytes(20_000);
    return { bytes, id: (await client.uploaded({ bytes, file_path: 'x.bin' })).id };
  };
  async function allTopics(): Promise<string[]> {
    if (admin === undefined) {
      const brokers = [...on().servers.brokers];
      admin = new Kafka({ brokers, clientId: 'spec', logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
    }
    return (await admin.listTopics()).filter((name) => name.startsWith(on().place.topicPrefix));
  }
  const messages = async (topic: string): Promise<number> =>
    (await admin!.fetchTopicOffsets(topic)).reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);

  it(
    'a restore brings back everything up to the chosen time, and nothing after it',
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      const database = new ArchivedPostgres(on().servers.postgres!);
      await database.archive();
      let client = await started();
      const kept = await finished(client, 2);
      const asset = await uploaded(client);
      await database.backUp(async () => void kept.push(...(await finished(client, 2))));
      // From here on, in the archived log alone.
      kept.push(...(await finished(client, 2)));
      const later = await uploaded(client);
      const halfway = await client.submitted(sleepingGraph(120));
      await client.reached(halfway.id, 'running');
      // Read first: events of before the time may get their numbers after it.
      const head = await number('select seq from jobs.seq_cursor');
      const time = await database.now();
      copied(bucket(), bucketCopy());

      // What the restore leaves out.
      await client.cancel(halfway.id);
      await client.reached(halfway.id, 'canceled');
      const lost = await finished(client, 3);
      const lostAsset = await uploaded(client);
      await database.flush();

      await cluster!.kill();
      await database.restore(time);
      rmSync(bucket(), { recursive: true });
      copied(bucketCopy(), bucket());
      const topics = await allTopics();
      expect(topics).toContain(on().place.topicPrefix + JOB_EVENTS_TOPIC);
      await admin!.deleteTopics({ topics });

      await prepareTopics(readSettings(environment()));
      expect(await number('select seq from jobs.seq_cursor')).toBeGreaterThanOrEqual(head);
      const verified = await heddle('history', 'verify', '--json');
      expect(verified, verified.err).toMatchObject({ code: 0 });
      const replay = await heddle('history', 'replay', '--from-seq', '1', '--json');
      expect(replay, replay.err).toMatchObject({ code: 0 });
      const topic = on().place.topicPrefix + JOB_EVENTS_TOPIC;
      expect(await messages(topic)).toBeGreaterThanOrEqual(head);

      client = await started();
      for (const id of kept) {
        const { status, outputs } = await client.jobNow(id);
        expect(status).toBe('succeeded');
        for (const output of outputs) expect((await client.content(output.id)).status).toBe(200);
      }
      for (const { id, bytes } of [asset, later]) expect((await client.content(id)).bytes.equals(bytes)).toBe(true);
      for (const id of lost) expect((await client.request('GET', `/api/v2/jobs/${id}`)).status).toBe(404);
      expect((await client.content(lostAsset.id)).status).toBe(404);
      // Its cancel was lost, so it runs again.
      await client.reached(halfway.id, 'running');
      await client.cancel(halfway.id);
      await client.reached(halfway.id, 'canceled');
      await finished(client, 3);
      const behind = (schema: string): Promise<number> =>
        number(`(select seq from jobs.seq_cursor) - (select coalesce(max(seq), 0) from ${schema}.inbox_place)`);
      for (const schema of ['assets', 'logs'])
        await expect.poll(() => behind(schema), { timeout: CAUGHT_UP_WITHIN_MS, interval: 500 }).toBe(0);
      expect(await number('select count(*) from logs.inbox where failure is not null')).toBe(0);
      expect(cluster!.crashes()).toEqual([]);
    },
  );
});
