import { randomUUID } from 'node:crypto';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { LogReader } from '@heddle/platform-event-log';
import type { SequencedEvent } from '@heddle/platform-event-log';
import { ensureTopics, KafkaMessageBus } from '@heddle/platform-message-bus/kafka';
import type { BusMessage } from '@heddle/platform-message-bus';
import { eventually, jsonOf, textGraph } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import { submissionOf } from '../load.ts';
import { readRun } from '../recorded-run.ts';
import { ask } from './campaign-client.ts';
import type { Evidence } from './campaign-evidence.ts';
import type { ClusterUnderFire } from './cluster-under-fire.ts';
import { Journal } from './journal.ts';
import { isBack } from './process-faults.ts';
import { readTopic } from './topic-record.ts';
import type { TopicRecord } from './topic-record.ts';

const WITHIN_MS = 60_000;
const SUBMISSIONS = 24;

/**
 * Publishes the log to a topic of its own with the real reader and bus, while the brokers are unreachable for the first part.
 * `hasty`: the reader's cursor moves before the brokers acknowledge.
 */
export async function relayed(cluster: ClusterUnderFire, how: 'hasty' | 'honest'): Promise<readonly TopicRecord[]> {
  const topic = `${how}.${JOB_EVENTS_TOPIC}`;
  const connection = { brokers: cluster.brokers, clientId: how };
  await ensureTopics(connection, [{ name: topic, partitions: 4, replicas: 1, retentionMs: WITHIN_MS * 60 }]);
  const bus = await KafkaMessageBus.connect({ ...connection, publishWithinMs: 4_000 });
  const { rows } = await cluster.owner.query<{ last: string }>('select max(seq) as last from jobs.event_seq');
  const last = BigInt(rows[0]?.last ?? 0);
  let unheard = 0;
  const reader = new LogReader({
    pool: cluster.owner,
    schema: 'jobs',
    consumer: how,
    batchSize: 50,
    handle: async (events) => {
      const published = bus.publish(topic, events.map(messageOf));
      published.catch(() => (unheard += 1));
      if (how === 'honest') return await published;
    },
  });
  cluster.ways.broker.forEach((way) => (way.set({ kind: 'refuse' }), way.cut()));
  reader.start();
  try {
    // Both readers try; only the hasty one continues without an acknowledgement.
    await eventually(`the ${how} reader not being heard`, () => unheard > 0, WITHIN_MS);
    cluster.ways.broker.forEach((way) => way.set(null));
    await eventually(`the ${how} reader at the end of the log`, () => reader.seq >= last, WITHIN_MS);
  } finally {
    cluster.ways.broker.forEach((way) => way.set(null));
    await reader.stop();
    await bus.close();
    await cluster.owner.query('delete from jobs.relay_cursor where consumer = $1', [how]);
  }
  return await readTopic(cluster.brokers, topic);
}

function messageOf({ eventId, streamId, type, version, seq }: SequencedEvent): BusMessage {
  const payload = { jobId: streamId, version };
  return { key: streamId, id: eventId, type, payload, headers: { seq: String(seq) } };
}

/** Acknowledged submissions on a database that does not wait for its disk and crashes. Destroys the cluster. */
export async function crashWithoutDurability(cluster: ClusterUnderFire): Promise<Pick<Evidence, 'run' | 'journal'>> {
  const { owner, postgres, url } = cluster;
  const journal = new Journal();
  await owner.query('alter database heddle set synchronous_commit = off');
  await owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    ['heddle'],
  );
  await Promise.all(cluster.processes.map(isBack));
  const submit = async (): Promise<void> => {
    const entry = { key: randomUUID(), workflow: JSON.stringify(textGraph()) };
    const answer = await ask({ origin: url, journal }, submissionOf(entry.workflow, entry.key));
    const jobId = answer?.status === 201 ? jsonOf<Job>(answer).id : null;
    journal.submission({ ...entry, outcome: jobId === null ? 'unknown' : 'ok', jobId, code: null });
  };
  // Stops the processes that write the WAL to disk, so that it does not get there before the crash.
  const writers = `select pid from pg_stat_activity where backend_type in ('walwriter', 'checkpointer')`;
  for (const { pid } of (await owner.query<{ pid: number }>(writers)).rows) process.kill(pid, 'SIGSTOP');
  await Promise.all(Array.from({ length: SUBMISSIONS }, submit));
  await postgres.restartImmediately();
  const client = await owner.connect();
  const run = await readRun(client, cluster.objectsFolder).finally(() => client.release());
  return { run, journal };
}
