import { randomUUID } from 'node:crypto';
import { eventually, jsonOf, textGraph } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import { submissionOf } from '../load.ts';
import { ask } from './campaign-client.ts';
import type { ClusterUnderFire } from './cluster-under-fire.ts';
import type { Journal } from './journal.ts';

const WITHIN_MS = 120_000;

/** Milliseconds from the start of a fault until a new job was ...; null if that never happened. */
export interface Recovery {
  readonly fault: string;
  /** ... accepted with 201: HTTP serves writes. */
  readonly acceptedMs: number | null;
  /** ... leased by a worker. */
  readonly leasedMs: number | null;
  /** ... with its submission published to the brokers and acknowledged by them: events flow. */
  readonly relayedMs: number | null;
}

/** Submits one job at the start of a fault, repeatedly with one key, and follows it through the cluster. */
export async function probeRecovery(cluster: ClusterUnderFire, journal: Journal, fault: string): Promise<Recovery> {
  const begun = performance.now();
  const workflow = JSON.stringify(textGraph(`probe ${randomUUID()}`));
  const key = randomUUID();
  const entry = { key, workflow, outcome: 'unknown' as const, jobId: null, code: null };
  const known: { jobId: string | null } = { jobId: null };
  journal.submission(entry);
  const since = async (what: string, look: () => Promise<boolean>): Promise<number | null> =>
    await eventually(what, look, WITHIN_MS).then(
      () => Math.round(performance.now() - begun),
      () => null,
    );
  const acceptedMs = await since('acceptance', async () => await isAccepted(cluster, journal, entry, known));
  const leased = `select 1 from jobs.event e join jobs.job j on j.id = e.stream_id where j.idempotency_key = $1 and e.type = 'JobLeased'`;
  const relayed = `select 1 from jobs.event e join jobs.job j on j.id = e.stream_id join jobs.event_seq s on s.position = e.position
                    where j.idempotency_key = $1 and e.version = 1 and s.seq <= (select min(seq) from jobs.relay_cursor)`;
  const [leasedMs, relayedMs] = await Promise.all([
    since('lease', async () => await finds(cluster, leased, key)),
    since('relay', async () => await finds(cluster, relayed, key)),
  ]);
  // From now on, other clients may cancel the job.
  if (known.jobId !== null) Object.assign(entry, { outcome: 'ok', jobId: known.jobId });
  return { fault, acceptedMs, leasedMs, relayedMs };
}

/** Uses a short time-out, like a client with several gateways. */
async function isAccepted(
  cluster: ClusterUnderFire,
  journal: Journal,
  entry: Journal['submissions'][number],
  known: { jobId: string | null },
): Promise<boolean> {
  const answer = await ask(
    { origin: cluster.url, journal, patienceMs: 2_000 },
    submissionOf(entry.workflow, entry.key),
  );
  if (answer?.status === 201) {
    known.jobId = jsonOf<Job>(answer).id;
    return true;
  }
  // 422: the key is held, because an attempt without an answer was accepted. The settlement finds the job.
  return answer?.status === 422;
}

async function finds({ owner }: ClusterUnderFire, sql: string, key: string): Promise<boolean> {
  return await owner.query(sql, [key]).then(
    ({ rowCount }) => (rowCount ?? 0) > 0,
    () => false,
  );
}
