import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desiredTopics, readSettings } from '@heddle/composition';
import { JOB_EVENTS_TOPIC, newUuid } from '@heddle/contracts-messages';
import type { AccountId, AssetId, DurableReport, JobLease, JobMessage } from '@heddle/contracts-messages';
import { exportHistory } from '@heddle/jobs-history/exports';
import { askQuestion, checkedManifest, ExportFolder, segmentPaths } from '@heddle/jobs-history/queries';
import { ensureTopics, KafkaMessageBus } from '@heddle/platform-message-bus/kafka';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PRINCIPAL, startJobs } from '../bench/jobs-process.ts';
import type { JobsProcess } from '../bench/jobs-process.ts';
import { describeOnServers } from '../scenarios/on-cluster.ts';

const PROGRAM = join(import.meta.dirname, 'accounts-daily-consumer.ts');
const WITHIN_MS = 60_000;
const ALL = 'select * from accounts_daily order by account_id, deployment_id, dt';

await describeOnServers(`accounts_daily from the topic (seed ${seed})`, (on) => {
  const random = seeded(seed);
  let [jobs, bus, owner, folder]: [JobsProcess, KafkaMessageBus, pg.Client, string] = [] as never;
  let consumer: ChildProcess | undefined;
  let asked = 0;

  beforeAll(async () => {
    const connection = { brokers: on().servers.brokers, clientId: 'spec' };
    await ensureTopics(connection, desiredTopics(readSettings({ HEDDLE_KAFKA_PARTITIONS: '3' })));
    bus = await KafkaMessageBus.connect(connection);
    jobs = await startJobs(on().servers.ownerUrl);
    await jobs.restart(bus, () => Promise.resolve());
    owner = new pg.Client({ connectionString: on().place.ownerUrl });
    await owner.connect();
    folder = await mkdtemp(join(tmpdir(), 'heddle-projection-'));
  });
  afterAll(async () => {
    consumer?.kill('SIGKILL');
    await owner?.end();
    await jobs?.close();
    await bus?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const start = async (group: string, ...words: string[]): Promise<void> => {
    const place = ['--database-url', on().place.ownerUrl, '--brokers', on().servers.brokers.join(',')];
    consumer = spawn(process.execPath, [PROGRAM, ...place, '--group', group, ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(consumer, 'spawn');
  };
  const kill = async (): Promise<void> => {
    const ended = once(consumer!, 'exit');
    consumer!.kill('SIGKILL');
    await ended;
  };

  async function runJob(): Promise<void> {
    const accountId = ['0190a000-0000-7000-8000-00000000000', random() < 0.5 ? '1' : '2'].join('') as AccountId;
    const principal = { ...PRINCIPAL, accountId };
    const submission = jobs.submission();
    const answer = await jobs.jobs.submit(principal, submission);
    if (!answer.ok) throw new Error(answer.rejection.message);
    const dice = random();
    if (dice < 0.2) await jobs.jobs.cancel(principal, submission.jobId);
    if (dice < 0.2) return;
    const { session, next } = jobs.worker();
    const lease = await next();
    await session.report(reports(lease, Math.floor(random() * 4), dice < 0.4));
    await session.close();
  }

  const head = async (): Promise<number> =>
    Number((await jobs.owner.query<{ seq: string }>('select seq from jobs.seq_cursor')).rows[0]!.seq);
  const folded = async (): Promise<number> => {
    const sql = `select coalesce((select max(seq) from accounts_daily.inbox_place), 0) as seq`;
    return await owner.query<{ seq: string }>(sql).then(
      ({ rows }) => Number(rows[0]!.seq),
      () => 0,
    );
  };
  const caughtUp = async (): Promise<void> => {
    const events = Number((await jobs.owner.query<{ n: string }>('select count(*) as n from jobs.event')).rows[0]!.n);
    await expect.poll(head, { timeout: WITHIN_MS }).toBe(events);
    await expect.poll(folded, { timeout: WITHIN_MS }).toBe(events);
  };
  /** The answer of `heddle history query` over an export of the same log. */
  const answer = async (): Promise<{ readonly out: string; readonly rows: readonly string[] }> => {
    const out = join(folder, `export-${++asked}`);
    const { signal } = new AbortController();
    const place = new ExportFolder(out);
    await exportHistory(jobs.owner, { place, until: null, segment: 250_000, redact: false, signal });
    const files = segmentPaths(place, await checkedManifest(place)).flat();
    const question = { sql: ALL, params: {}, timeoutMs: WITHIN_MS, memory: '400MB', files, parquet: null };
    const rows = await askQuestion(question, signal, async (found) => {
      const all: string[] = [];
      for await (const batch of found.rows()) all.push(...batch.map((row) => row.map(String).join(' ')));
      return all;
    });
    return { out, rows };
  };
  const table = async (): Promise<readonly string[]> => {
    const sql = `select account_id, deployment_id, dt::text, submitted, succeeded, failed, canceled, expired, queue_ms, run_ms,
      outputs, output_bytes from accounts_daily.accounts_daily order by 1, 2, 3`;
    return (await owner.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.map((row) => row.map(String).join(' '));
  };

  it('is what the query gives, however often the consumer is killed', async () => {
    await start('killed');
    for (let turn = 0; turn < 4; turn++) {
      const before = await folded();
      for (let n = 0; n < 12; n++) await runJob();
      await expect.poll(folded, { timeout: WITHIN_MS }).toBeGreaterThan(before);
      // It is at work when it dies.
      await Promise.all([runJob(), runJob(), kill()]);
      await start('killed');
    }
    await caughtUp();
    await kill();
    const { rows } = await answer();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(await table()).toEqual(rows);
  });

  it('carries submissions, leases and the rest of what analysts need', async () => {
    const seen: JobMessage[] = [];
    const subscription = await bus.subscribe(JOB_EVENTS_TOPIC, `look-${newUuid()}`, async (batch) => {
      seen.push(...batch.map(({ payload }) => payload as JobMessage));
      await Promise.resolve();
    });
    await expect.poll(() => seen.length, { timeout: WITHIN_MS }).toBe(await head());
    await subscription.close();
    for (const message of seen) {
      expect(message.submission !== undefined).toBe(message.type === 'JobSubmitted');
      expect(message.lease !== undefined).toBe(message.type === 'JobLeased');
      expect(message.node !== undefined).toBe(message.type === 'NodeFinished');
    }
    expect(seen.some(({ node }) => node?.classType === 'EmptyImage')).toBe(true);
  });

  it('is built from nothing by an export and the topic, which no longer reaches back', async () => {
    const { out } = await answer();
    const admin = new Kafka({
      brokers: [...on().servers.brokers],
      clientId: 'spec',
      logLevel: logLevel.NOTHING,
    }).admin();
    await admin.connect();
    const partitions = (await admin.fetchTopicOffsets(JOB_EVENTS_TOPIC)).map(({ partition, high }) => ({
      partition,
      offset: high,
    }));
    await admin.deleteTopicRecords({ topic: JOB_EVENTS_TOPIC, partitions });
    await admin.disconnect();
    await owner.query('drop schema accounts_daily cascade');
    for (let n = 0; n < 12; n++) await runJob();
    await start('anew', '--from', out);
    for (let n = 0; n < 12; n++) await runJob();
    await caughtUp();
    await kill();
    expect(await table()).toEqual((await answer()).rows);
  });
});

function reports(lease: JobLease, outputs: number, fails: boolean): DurableReport[] {
  const { jobId, fence } = lease;
  let sequence = 0;
  const report = (): { jobId: typeof jobId; fence: number; sequence: number } => ({
    jobId,
    fence,
    sequence: ++sequence,
  });
  const at = new Date().toISOString();
  const node = { nodeId: '1', classType: 'EmptyImage', startedAt: at, endedAt: at, cached: false };
  const committed = Array.from({ length: outputs }, (_, n): DurableReport => ({
    ...report(),
    kind: 'output_committed',
    output: {
      ...{ nodeId: '9', key: `9/0/${n}`, name: 'a.txt', type: 'text', contentType: 'text/plain', sizeBytes: 10 + n },
      ...{ assetId: newUuid() as AssetId, hash: `blake3:${'0'.repeat(64)}` },
    },
  }));
  const progress = {
    ...{ value: 1, nodesDone: 1, nodesTotal: 1, currentNode: null, currentNodeClass: null },
    ...{ step: null, steps: null, message: null },
  };
  const failed = {
    kind: 'failed',
    code: 'engine_error',
    message: 'no',
    nodeId: '1',
    classType: null,
    traceback: null,
  } as const;
  const outcome = fails ? failed : ({ kind: 'succeeded' } as const);
  return [
    ...committed,
    { ...report(), kind: 'node_finished', ...node },
    { ...report(), kind: 'outcome', outcome, progress },
  ];
}
