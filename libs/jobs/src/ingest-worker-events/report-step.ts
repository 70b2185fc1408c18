import {
  canonicalJobEvent,
  captureLog,
  commitOutput,
  finishNode,
  reportOutcome,
  reportStart,
  UndecodableEvent,
} from '@heddle/jobs-domain';
import type { JobEvent, JobSucceeded, NodeRun, Outcome, RecordedProgress } from '@heddle/jobs-domain';
import { BLOB_HASH, isUuid, MAX_JOB_OUTPUTS, MAX_REPORT_TEXT } from '@heddle/contracts-messages';
import type { DurableReport, JobOutput, ProgressReported, WorkerOutcome } from '@heddle/contracts-messages';
import type { Step } from '../commit-job-events/change-plan.js';

/** Encoded as JSON, where an escape takes six bytes; an event may have 1 MiB. */
const MAX_TRACEBACK_BYTES = 524_288;

/**
 * A durable report as a decision on its job. Throws `UndecodableEvent` if the report does not have the shape of its
 * kind.
 */
export function stepOf(report: DurableReport): Omit<Step, 'correlation'> {
  const at = { fence: report.fence, sequence: report.sequence };
  const step = { workerSequence: report.sequence };
  switch (report.kind) {
    case 'started':
      return { ...step, decide: (state) => reportStart(state, at) };
    case 'node_finished': {
      const { startedAt, endedAt, cached } = report;
      if (![startedAt, endedAt].every(isInstant))
        throw new UndecodableEvent('a node starts and ends at ISO 8601 instants');
      const [nodeId, classType] = [
        cut(report.nodeId, MAX_REPORT_TEXT.name),
        cut(report.classType, MAX_REPORT_TEXT.name),
      ];
      const { data } = checked({ type: 'NodeFinished', data: { nodeId, classType, startedAt, endedAt, cached } });
      return { ...step, decide: (state) => finishNode(state, at, data) };
    }
    case 'output_committed': {
      const { data } = checked({ type: 'OutputCommitted', data: outputOf(report.output) });
      return { ...step, decide: (state) => commitOutput(state, at, data, MAX_JOB_OUTPUTS) };
    }
    case 'log_captured': {
      const { sizeBytes, truncated } = report;
      const { data } = checked({ type: 'LogCaptured', data: { sizeBytes, truncated } });
      return { ...step, decide: (state) => captureLog(state, at, data) };
    }
    case 'outcome': {
      const outcome = outcomeOf(report.outcome);
      const progress = snapshotOf(report.progress);
      return { ...step, decide: (state) => reportOutcome(state, { ...at, outcome, progress }) };
    }
  }
}

/** Other services look these ids up, so they must be valid: one bad report would block a batch of theirs. */
function outputOf(output: JobOutput): JobOutput {
  const { assetId, hash, key, nodeId, name, contentType } = output;
  if (!isUuid(assetId) || !BLOB_HASH.test(hash))
    throw new UndecodableEvent('an output has the id and the hash of an asset');
  // They name the output, so they must not be cut.
  if (key.length > MAX_REPORT_TEXT.name || nodeId.length > MAX_REPORT_TEXT.name)
    throw new UndecodableEvent('a key is too long');
  return {
    ...output,
    name: cut(name, MAX_REPORT_TEXT.name),
    contentType: cut(contentType, MAX_REPORT_TEXT.contentType),
  };
}

function outcomeOf(outcome: WorkerOutcome): Outcome {
  if (outcome.kind === 'lost') return { kind: 'lost', reason: cut(outcome.reason, MAX_REPORT_TEXT.message) };
  if (outcome.kind !== 'failed') return outcome;
  const { code, nodeId, classType, traceback } = outcome;
  const error = {
    code,
    message: cut(outcome.message, MAX_REPORT_TEXT.message),
    nodeId: nodeId === null ? null : cut(nodeId, MAX_REPORT_TEXT.name),
    classType: classType === null ? null : cut(classType, MAX_REPORT_TEXT.name),
    // The end of a traceback shows the error.
    traceback: traceback === null ? null : endOf(traceback),
  };
  const { data } = checked({ type: 'JobFailed', data: { error, progress: null, nodeRun: nodeRunOf(outcome) } });
  return { kind: 'failed', ...data.error, nodeRun: data.nodeRun };
}

/** Older workers report none. A wrong one is left out: the end of the job must not depend on it. */
function nodeRunOf({ nodeRun }: Extract<WorkerOutcome, { kind: 'failed' }>): NodeRun | null {
  if (nodeRun === undefined || nodeRun === null) return null;
  const { startedAt, endedAt } = nodeRun;
  return isInstant(startedAt) && isInstant(endedAt) ? { startedAt, endedAt } : null;
}

/** A valid progress report, shortened to the limits; throws for another shape. */
export function keepable(report: ProgressReported): ProgressReported {
  return { ...report, progress: snapshotOf(report.progress) };
}

function snapshotOf(progress: RecordedProgress): RecordedProgress {
  const message = progress.message === null ? null : cut(progress.message, MAX_REPORT_TEXT.message);
  const value = Math.min(1, Math.max(0, progress.value));
  const { data } = checked<JobSucceeded>({ type: 'JobSucceeded', data: { progress: { ...progress, value, message } } });
  return data.progress!;
}

function checked<Event extends JobEvent>(event: Event): Event {
  return canonicalJobEvent(event) as Event;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max);
}

function endOf(traceback: string): string {
  let end = traceback.slice(-MAX_REPORT_TEXT.traceback);
  while (Buffer.byteLength(JSON.stringify(end)) > MAX_TRACEBACK_BYTES) end = end.slice(Math.ceil(end.length / 8));
  return end;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isInstant(text: string): boolean {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}
