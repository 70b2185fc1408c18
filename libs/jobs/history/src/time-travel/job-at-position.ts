import { JobStream } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { summarizeJob } from '../summarize-job/summarize-job.js';
import { jobAt, type JobAt } from './job-at.js';
import type { Position } from './position.js';

/** A job at one position of the log. */
export interface JobAtPosition {
  /** Null: not submitted by then, purged by then, or not readable. */
  readonly job: JobAt | null;
  /** The first event that this build cannot use, and why. */
  readonly unusable: string | null;
  /** Payloads were purged later, or the export leaves them out: the job has what its envelopes give. */
  readonly isRedacted: boolean;
}

const NOTHING: JobAtPosition = { job: null, unusable: null, isRedacted: false };

/** @param events the numbered events of one job, in version order */
export function jobAtPosition(events: readonly NumberedEvent[], position: Position): JobAtPosition {
  const until = events.findIndex((event) => !isWithin(event, position));
  const taken = until === -1 ? events : events.slice(0, until);
  const [first] = taken;
  if (first === undefined) return NOTHING;
  const stream = new JobStream();
  for (const event of taken) {
    const { version, type, schemaVersion, recordedAt, workerSeq: workerSequence } = event;
    const data = event.data?.toString('utf8') ?? null;
    const fault = stream.take({ version, type, schemaVersion, recordedAt, workerSequence, data });
    if (fault !== null) return { ...NOTHING, unusable: `seq ${event.seq}, job ${event.streamId}: ${fault.message}` };
  }
  const outcome = stream.outcome();
  if (outcome.is === 'purged') return NOTHING;
  if (outcome.is !== 'visible') return { job: jobOfEnvelopes(taken), unusable: null, isRedacted: true };
  return {
    job: jobAt({ jobId: first.streamId, deploymentId: first.deploymentId }, outcome.state),
    unusable: null,
    isRedacted: false,
  };
}

/** Of one job, numbers and versions have the same order. */
function isWithin({ seq, recordedAt }: NumberedEvent, position: Position): boolean {
  if ('seq' in position) return seq !== null && seq <= position.seq;
  return Date.parse(recordedAt) <= Date.parse(position.instant);
}

/** What a payload said is null; the remaining payloads give error and labels. */
function jobOfEnvelopes(events: readonly NumberedEvent[]): JobAt {
  const summary = summarizeJob(events);
  return {
    id: summary.job_id,
    status: summary.status,
    created_at: summary.submitted_at,
    started_at: summary.started_at,
    completed_at: summary.completed_at,
    expires_at: null,
    queue_position: null,
    progress: null,
    outputs: null,
    error: summary.error,
    metrics: { queue_ms: summary.queue_ms, execution_ms: summary.execution_ms },
    metadata: summary.labels,
    deployment_id: events[0]?.deploymentId ?? null,
    version: summary.version,
    fence: Math.max(0, ...events.map(({ fence }) => fence ?? 0)),
  };
}
