import { millisecondsBetween } from '@heddle/jobs-domain';
import type { JobSubmitted, RecordedError } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { attemptsOf, type AttemptRow } from './attempt-rows.js';
import { decodedEvents, isOf, type DecodedEvent } from './decoded-events.js';
import { nodeRunsOf, type NodeRunRow } from './node-run-rows.js';

/** What a purged payload said is null. */
interface OutputRow {
  readonly job_id: string;
  readonly ordinal: number;
  readonly fence: number | null;
  readonly node_id: string | null;
  readonly key: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly content_type: string | null;
  readonly size_bytes: number | null;
  readonly asset_id: string | null;
  readonly hash: string | null;
  readonly committed_at: string;
}

/** Why a job failed, with the names of api-v2. */
interface ErrorRow {
  readonly code: RecordedError['code'];
  readonly message: string;
  readonly node_id: string | null;
  readonly class_type: string | null;
  readonly traceback: string | null;
}

/** A job at a glance; the lists hold the rows of the relations of `history query`. */
export interface JobSummaryLine {
  readonly job_id: string;
  readonly status: string;
  readonly version: number;
  readonly submitted_at: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly queue_ms: number | null;
  readonly execution_ms: number | null;
  readonly attempts: readonly AttemptRow[];
  readonly node_runs: readonly NodeRunRow[];
  readonly outputs: readonly OutputRow[];
  readonly error: ErrorRow | null;
  readonly labels: Readonly<Record<string, string>> | null;
}

/** From the envelopes and the remaining payloads: of a purged job, what was removed is null. */
export function summarizeJob(stored: readonly NumberedEvent[]): JobSummaryLine {
  const events = decodedEvents(stored);
  const last = stored.at(-1)!;
  const submission = events.find((event) => isOf(event, 'JobSubmitted'));
  const submittedAt = submission?.recordedAt ?? null;
  const startedAt = events.find(({ type }) => type === 'JobLeased')?.recordedAt ?? null;
  const end = stored.find(({ isTerminal }) => isTerminal);
  const completedAt = end?.recordedAt ?? null;
  const failure = events.find((event) => isOf(event, 'JobFailed'));
  const attempts = attemptsOf(last.streamId, events);
  return {
    job_id: last.streamId,
    status: statusOf(events),
    version: last.version,
    submitted_at: submittedAt,
    started_at: startedAt,
    completed_at: completedAt,
    queue_ms: millisecondsBetween(submittedAt, startedAt),
    execution_ms: millisecondsBetween(startedAt, completedAt),
    attempts,
    node_runs: nodeRunsOf(last.streamId, events, attempts),
    outputs: outputsOf(last.streamId, events),
    error: errorOf(failure?.data?.error ?? null),
    labels: labelsOf(submission?.data ?? null),
  };
}

const STATUS: Readonly<Record<string, string>> = {
  JobSubmitted: 'queued',
  JobLeased: 'running',
  LeaseLost: 'queued',
  CancelRequested: 'canceling',
  JobSucceeded: 'succeeded',
  JobFailed: 'failed',
  JobCanceled: 'canceled',
  JobExpired: 'expired',
};

/** The status that the newest event with a meaning for it leads to; a purge leaves it. */
function statusOf(events: readonly DecodedEvent[]): string {
  return events.map(({ type }) => STATUS[type]).findLast((status) => status !== undefined) ?? 'queued';
}

function errorOf(error: RecordedError | null): ErrorRow | null {
  if (error === null) return null;
  const { code, message, nodeId, classType, traceback } = error;
  return { code, message, node_id: nodeId, class_type: classType, traceback };
}

function labelsOf(submission: JobSubmitted['data'] | null): Readonly<Record<string, string>> | null {
  return submission?.metadata ?? null;
}

function outputsOf(jobId: string, events: readonly DecodedEvent[]): OutputRow[] {
  return events
    .filter((event) => isOf(event, 'OutputCommitted'))
    .map(({ data, fence, recordedAt }, ordinal) => ({
      job_id: jobId,
      ordinal,
      fence,
      node_id: data?.nodeId ?? null,
      key: data?.key ?? null,
      name: data?.name ?? null,
      type: data?.type ?? null,
      content_type: data?.contentType ?? null,
      size_bytes: data?.sizeBytes ?? null,
      asset_id: data?.assetId ?? null,
      hash: data?.hash ?? null,
      committed_at: recordedAt,
    }));
}
