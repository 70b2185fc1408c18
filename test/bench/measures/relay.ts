import { desiredTopics, readSettings } from '@heddle/composition';
import { replayLog } from '@heddle/jobs';
import { ensureTopics, KafkaMessageBus } from '@heddle/platform-message-bus/kafka';
import type pg from 'pg';
import { withServers } from '../cluster/running-cluster.ts';
import { pause } from '../http-load.ts';
import { cpuUs, treeCpuUs } from '../process-cpu.ts';
import { PRINCIPAL, startJobs } from '../jobs-process.ts';
import type { JobsProcess } from '../jobs-process.ts';
import type { BenchServers } from '../servers.ts';
import type { Sample } from '../rows.ts';

/** Each job is submitted and canceled: two events. */
const JOBS = 15_000;
const AT_ONCE = 64;
/** Interval of progress queries. More queries would distort the measurement. */
const POLL_INTERVAL_MS = 25;
const WARM_MS = 1000;
const BESIDE_MS = 3000;
/** Some hundred submissions per second */
const LIGHT_MS = 5;

/**
 * Rows K1 to K3: the relay from the log to Kafka. First a full log, then during submissions, then the whole log again as
 * `heddle history replay` publishes it.
 */
export async function measureRelay({ floorDatabase }: BenchServers): Promise<Sample> {
  return await withServers(async ({ brokers }) => {
    const cpu = (): Record<string, number> => ({
      relay: cpuUs(process.pid),
      database: treeCpuUs(floorDatabase.serverPid),
    });
    const connection = { brokers, clientId: 'bench-relay' };
    await ensureTopics(connection, desiredTopics(readSettings({})));
    const bus = await KafkaMessageBus.connect(connection);
    const jobs = await startJobs(floorDatabase.url);
    try {
      await fill(jobs);
      // Restarts the relay, which published to no bus while the log was filled.
      await jobs.restart(bus, async () => {
        await jobs.owner.query('update jobs.relay_cursor set seq = 0');
      });
      const before = cpu();
      const rate = await rateUntil(jobs.owner, await lastSeq(jobs.owner));
      const each = Object.entries(cpu()).map(
        ([part, us]) => `${part} ${((us - before[part]!) / (2 * JOBS)).toFixed(1)}`,
      );
      process.stderr.write(`  CPU of a relayed event: ${each.join(', ')} us\n`);
      const beside = await besideSubmissions(jobs);
      return { 'relay.rate': rate, ...beside, 'replay.rate': await replayRate(jobs, bus) };
    } finally {
      await jobs.close();
      await bus.close();
    }
  });
}

async function fill(jobs: JobsProcess): Promise<void> {
  let left = JOBS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await submit(jobs).then((jobId) => jobs.jobs.cancel(PRINCIPAL, jobId));
    }),
  );
  while ((await lastSeq(jobs.owner)) < 2 * JOBS) await pause(POLL_INTERVAL_MS);
}

async function submit(jobs: JobsProcess) {
  const submission = jobs.submission();
  const answer = await jobs.jobs.submit(PRINCIPAL, submission);
  if (!answer.ok) throw new Error(answer.rejection.message);
  return submission.jobId;
}

/** Events per second, from the first query with published events to the query with all of them. */
async function rateUntil(owner: pg.Client, last: number): Promise<number> {
  let first: { readonly at: number; readonly seq: number } | null = null;
  for (;;) {
    const seq = await relayed(owner);
    const at = performance.now();
    if (seq > 0) first ??= { at, seq };
    if (first !== null && seq >= last) return (seq - first.seq) / ((at - first.at) / 1000);
    await pause(POLL_INTERVAL_MS);
  }
}

async function besideSubmissions(jobs: JobsProcess): Promise<Sample> {
  let stopped = false;
  const loops = Array.from({ length: AT_ONCE }, async () => {
    while (!stopped) await submit(jobs);
  });
  await pause(WARM_MS);
  const [written, sent, began] = [await lastSeq(jobs.owner), await relayed(jobs.owner), performance.now()];
  await pause(BESIDE_MS);
  const [writtenThen, sentThen] = [await lastSeq(jobs.owner), await relayed(jobs.owner)];
  const seconds = (performance.now() - began) / 1000;
  stopped = true;
  await Promise.all(loops);
  return {
    'relay-beside.rate': (sentThen - sent) / seconds,
    'relay-beside.submitted': (writtenThen - written) / seconds,
  };
}

/** Events per second of the whole log, during a light load. */
async function replayRate(jobs: JobsProcess, bus: KafkaMessageBus): Promise<number> {
  let stopped = false;
  const light = (async () => {
    for (; !stopped; await pause(LIGHT_MS)) await submit(jobs);
  })();
  const reader = await jobs.database.ownerPool.connect();
  const began = performance.now();
  const { published } = await replayLog({ database: reader, bus, fromSeq: 1 });
  const seconds = (performance.now() - began) / 1000;
  reader.release();
  stopped = true;
  await light;
  return published / seconds;
}

async function lastSeq(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ seq: string | null }>('select max(seq) as seq from jobs.event_seq');
  return Number(rows[0]?.seq ?? 0);
}

async function relayed(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ seq: string }>(
    "select seq from jobs.relay_cursor where consumer = 'jobs-relay'",
  );
  return Number(rows[0]?.seq ?? 0);
}
