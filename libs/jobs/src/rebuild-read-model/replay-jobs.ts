import { evolve, initial, isEnded } from '@heddle/jobs-domain';
import type { JobState, VisibleJob } from '@heddle/jobs-domain';
import { EVENT_SELECT, readFrom, storedEvent } from '@heddle/platform-event-log';
import type { EventRow, StoredEvent } from '@heddle/platform-event-log';
import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { recordedJobEvent } from '../known-jobs/load-job.js';

export interface ReplayedJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly deploymentId: string;
  readonly state: VisibleJob;
}

export interface ReplayStep {
  readonly events: number;
  /** Jobs that were ended by these events and may still be purged by later ones; the last one, if any, wins. */
  readonly jobs: readonly ReplayedJob[];
  readonly purged: readonly string[];
}

const PAGE = 4_000;

/**
 * The whole log from its first event, page by page in the order of `seq`; at the end, what has no number yet. A job is
 * given when it ends, and one that has not ended with the last step, so memory holds the jobs that are not over.
 */
export async function* replayJobs(client: ClientBase): AsyncGenerator<ReplayStep> {
  const open = new Map<string, ReplayedJob>();
  let seq = 0n;
  let page = readFrom(client, JOBS_SCHEMA, seq, PAGE);
  for (;;) {
    const events = await page;
    const last = events.at(-1);
    if (last === undefined) break;
    seq = last.seq;
    page = readFrom(client, JOBS_SCHEMA, seq, PAGE);
    // Read ahead; whoever stops early does not hear of its failure.
    page.catch(() => undefined);
    yield replayPage(open, events);
  }
  const rest = (await client.query<EventRow>(unsequencedSql)).rows.map(storedEvent);
  const step = replayPage(open, rest);
  yield { ...step, jobs: [...step.jobs, ...open.values()] };
}

const unsequencedSql = `
select ${EVENT_SELECT}
from ${JOBS_SCHEMA}.event e
where (e.txid, e.position) > (select txid, position from ${JOBS_SCHEMA}.seq_cursor where id = 1)
   or (e.stream_id, e.version) in (select stream_id, version from ${JOBS_SCHEMA}.event_held)
order by e.stream_id, e.version`;

function replayPage(open: Map<string, ReplayedJob>, events: readonly StoredEvent[]): ReplayStep {
  const ended = new Map<string, ReplayedJob>();
  const purged: string[] = [];
  for (const stored of events) {
    const { streamId: jobId, accountId, deploymentId } = stored;
    const before: JobState = open.get(jobId)?.state ?? ended.get(jobId)?.state ?? initial;
    // After the end of a job comes its purge and nothing else.
    const state = stored.type === 'JobPurged' ? null : evolve(before, recordedJobEvent(stored));
    if (state === null || state.status === 'purged' || state.status === 'unsubmitted') {
      ended.delete(jobId);
      purged.push(jobId);
    } else if (isEnded(state)) {
      open.delete(jobId);
      ended.set(jobId, { jobId, accountId, deploymentId, state });
    } else {
      open.set(jobId, { jobId, accountId, deploymentId, state });
    }
  }
  return { events: events.length, jobs: [...ended.values()], purged };
}
