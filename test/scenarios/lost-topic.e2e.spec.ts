import { JOB_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import { prepareTopics } from '@heddle/composition/prepare-cluster';
import { readSettings } from '@heddle/composition';
import { HeddleClient, textGraph } from '@heddle/testing-api';
import { Kafka, logLevel } from 'kafkajs';
import type { Admin } from 'kafkajs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnCluster } from './on-cluster.js';
import { runCli } from './run-cli.js';
import type { Ended } from './run-cli.js';

const SETTINGS = { HEDDLE_TEST_NODES: '1', HEDDLE_QUEUE_DEPTH_ACCOUNT: '1000', HEDDLE_READ_RATE: '1000' };
const REPLICAS = { env: SETTINGS, replicas: 'gateway=1,jobs=2,worker=1' };
/** Ten seconds without messages, plus the time of a busy machine to read the log */
const CAUGHT_UP_WITHIN_MS = 90_000;
const MANY_EVENTS = 6_000;
const TEST_TIMEOUT_MS = 300_000;

await describeOnCluster('a cluster whose topic of job events is lost', REPLICAS, (on) => {
  let client: HeddleClient;
  let owner: pg.Pool;
  let admin: Admin;
  let kafka: Kafka;
  let topic: string;

  beforeAll(async () => {
    client = await HeddleClient.connect(on().cluster.url);
    owner = new pg.Pool({ connectionString: on().place.ownerUrl });
    const { brokers } = on().servers;
    kafka = new Kafka({ brokers: [...brokers], clientId: 'spec', logLevel: logLevel.NOTHING });
    admin = kafka.admin();
    await admin.connect();
    topic = on().place.topicPrefix + JOB_EVENTS_TOPIC;
  });
  afterAll(async () => {
    await admin?.disconnect();
    await owner?.end();
  });

  const environment = (): Record<string, string> => ({
    HEDDLE_KAFKA_BROKERS: on().servers.brokers.join(','),
    HEDDLE_KAFKA_PREFIX: on().place.topicPrefix,
    HEDDLE_KAFKA_PARTITIONS: '2',
    HEDDLE_DATABASE_URL: on().place.databaseUrls.jobs,
  });
  const heddle = (...words: string[]): Promise<Ended> => runCli(words, environment());
  const number = async (sql: string): Promise<number> =>
    Number((await owner.query<{ n: string }>(`select (${sql}) as n`)).rows[0]!.n);
  const head = (): Promise<number> => number('select seq from jobs.seq_cursor');
  const messages = async (name = topic): Promise<number> =>
    (await admin.fetchTopicOffsets(name)).reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
  const finished = async (count: number): Promise<string[]> => {
    const jobs = await Promise.all(Array.from({ length: count }, () => client.submitted(textGraph())));
    for (const { id } of jobs) await client.reached(id, 'succeeded');
    return jobs.map(({ id }) => id);
  };
  /** Waits until every service that follows jobs has applied all events of the log. */
  const allApplied = async (): Promise<void> => {
    const behind = async (): Promise<number> =>
      Math.max(
        ...(await Promise.all(
          ['assets', 'logs'].map((schema) =>
            number(`(select seq from jobs.seq_cursor) - (select coalesce(max(seq), 0) from ${schema}.inbox_place)`),
          ),
        )),
      );
    await expect.poll(behind, { timeout: CAUGHT_UP_WITHIN_MS, interval: 250 }).toBe(0);
  };
  const outputsOf = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      const { outputs } = await client.reached(id, 'succeeded');
      expect(outputs.length).toBeGreaterThan(0);
      for (const output of outputs) expect((await client.content(output.id)).status).toBe(200);
    }
  };

  it('loses nothing: services read from the log what no message brought', { timeout: TEST_TIMEOUT_MS }, async () => {
    const before = await finished(3);
    await admin.deleteTopics({ topics: [topic] });
    const meanwhile = await finished(3);
    // A process that restarts during the outage serves too.
    const restarted = on().cluster.processes.filter(({ plan }) => plan.service === 'jobs');
    await Promise.all(restarted.map(async (one) => await one.kill()));
    await expect.poll(async () => (await client.submit(textGraph())).status, { timeout: 60_000 }).toBe(201);
    meanwhile.push(...(await finished(3)));
    expect(on().cluster.logs()).toMatch(/Kafka topics do not exist: .*heddle\.jobs\.events\.v1\. Run heddle migrate/);
    await prepareTopics(readSettings(environment()));
    const after = await finished(3);
    await allApplied();
    expect(await number('select count(*) from assets.asset where job_id is not null and confirmed_at is null')).toBe(0);
    expect(await number(`select count(*) from assets.hold where released_at is null`)).toBe(0);
    await outputsOf([...before, ...meanwhile, ...after]);
  });

  it('gets its topic back by heddle history replay, beside live traffic', { timeout: TEST_TIMEOUT_MS }, async () => {
    await owner.query(
      `insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, recorded_at, data, status)
       select gen_random_uuid(), overlay(gen_random_uuid()::text placing '01900000' from 1)::uuid, 1, e.type, e.schema_version, e.account_id, e.deployment_id, e.recorded_at, e.data, e.status
       from (select * from jobs.event where type = 'JobSubmitted' limit 1) e, generate_series(1, ${MANY_EVENTS})`,
    );
    await expect.poll(head, { timeout: CAUGHT_UP_WITHIN_MS }).toBeGreaterThan(MANY_EVENTS);
    await expect
      .poll(
        async () => (await head()) - (await number(`select seq from jobs.relay_cursor where consumer = 'jobs-relay'`)),
        {
          timeout: CAUGHT_UP_WITHIN_MS,
        },
      )
      .toBe(0);
    const had = await messages();
    const last = await head();
    const [live, replay] = await Promise.all([
      finished(5),
      heddle('history', 'replay', '--from-seq', '1', '--to-seq', String(last), '--json'),
    ]);
    expect(replay, replay.err).toMatchObject({ code: 0 });
    const end = replay.lines().at(-1)!;
    expect(end).toEqual({ topic, from_seq: 1, to_seq: last, events: last, seconds: expect.any(Number) as number });
    process.stdout.write(`history replay: ${JSON.stringify(end)}\n`);
    expect(await messages()).toBeGreaterThanOrEqual(had + last);
    await allApplied();
    await outputsOf(live);
    const beyond = await heddle('history', 'replay', '--from-seq', String(10 * last));
    expect(beyond).toMatchObject({ code: 1, err: expect.stringContaining('ends at seq') as string });
  });

  it('keeps what cannot be handled, and lists, shows and sends it again', { timeout: TEST_TIMEOUT_MS }, async () => {
    const producer = kafka.producer();
    await producer.connect();
    const headers = { 'heddle-version': '1', 'heddle-id': newUuid(), 'heddle-type': 'JobSubmitted' };
    await producer.send({ topic, messages: [{ key: newUuid(), value: '{"text":"é"}', headers }] });
    await producer.disconnect();
    const listed = async (...more: string[]): Promise<Record<string, unknown>[]> => {
      const { code, err, lines } = await heddle('dead-letters', 'list', '--json', ...more);
      expect(code, err).toBe(0);
      return lines();
    };
    await expect.poll(async () => (await listed()).length, { timeout: 60_000, interval: 500 }).toBe(2);
    const letters = await listed();
    expect(letters.map(({ group }) => String(group).slice(on().place.topicPrefix.length)).sort()).toEqual([
      'assets',
      'logs',
    ]);
    expect(letters[0]).toMatchObject({ topic, message_id: headers['heddle-id'], retried_at: null });
    expect(letters[0]!['reason']).toContain('no header seq');
    const id = String(letters[0]!['id']);
    const shown = await heddle('dead-letters', 'show', id, '--json');
    expect(shown.lines()).toMatchObject([{ id, content: '{"text":"é"}' }]);
    const retried = await heddle('dead-letters', 'retry', id, '--json');
    expect(retried).toMatchObject({ code: 0 });
    expect((await listed('--all')).find((letter) => letter['id'] === id)?.['retried_at']).not.toBeNull();
    expect(await heddle('dead-letters', 'show', `${topic}@999999`)).toMatchObject({ code: 1 });
    expect((await heddle('dead-letters', 'retry')).code).toBe(2);
    const nowhere = { ...environment(), HEDDLE_KAFKA_BROKERS: '127.0.0.1:9' };
    expect((await runCli(['dead-letters', 'list'], nowhere)).code).toBe(3);
    expect((await runCli(['history', 'replay', '--from-seq', '1'], nowhere)).code).toBe(3);
    expect((await runCli(['history', 'replay', '--from-seq', '0'], environment())).code).toBe(2);
  });
});
