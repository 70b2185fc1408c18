import type { JobEventType } from '@heddle/jobs-domain';
import { uuid7, uuidText } from './mixed-numbers.ts';
import { FREE_NUMBERS } from './plan-job.ts';
import type { PlannedJob } from './plan-job.ts';

/** One event of a planned job, without the fields that all events of the job share */
export interface PlannedEvent {
  readonly job: PlannedJob;
  readonly id: Buffer;
  readonly version: number;
  readonly type: JobEventType;
  readonly schemaVersion: number;
  readonly at: number;
  readonly fence: number;
  readonly workerSeq: number | null;
  readonly isTerminal: boolean;
  readonly correlationId: string;
  readonly status: string;
  /** In the JSON form of the domain's codec; large-data.int.spec.ts compares them. */
  readonly data: string;
}

export const WORKER = 'large-data';
export const OUTPUT_KEY = '2/images/0';
export const OUTPUT_PATH = 'x_00001_.png';

const LEASED = '{"attempt":1,"fence":1,"workerId":"large-data","environment":"builtin/0.1.0","maxRuntimeMs":3600000}';
const DONE = snapshot('1', 2, 'null,"currentNodeClass":null');
const HALF = snapshot('0.5', 1, '"2","currentNodeClass":"SaveImage"');

function snapshot(value: string, done: number, node: string): string {
  return `{"value":${value},"nodesDone":${done},"nodesTotal":2,"currentNode":${node},"step":null,"steps":null,"message":null}`;
}

/** Progress in the job's read model. */
export function progressOf({ status }: PlannedJob): string | null {
  if (status === 'succeeded') return DONE;
  return status === 'failed' ? HALF : null;
}

export function errorOf({ status, i }: PlannedJob): string | null {
  if (status !== 'failed') return null;
  return `{"code":"node_execution_error","message":"no space for picture ${i}","nodeId":"2","classType":"SaveImage","traceback":null}`;
}

export function outputOf({ hasOutput, asset }: PlannedJob): string | null {
  if (!hasOutput || asset === null) return null;
  return (
    `{"nodeId":"2","key":"${OUTPUT_KEY}","name":"${OUTPUT_PATH}","type":"image","contentType":"image/png",` +
    `"sizeBytes":${asset.sizeBytes},"assetId":"${uuidText(asset.id)}","hash":"${asset.hash}"}`
  );
}

/** Events in the order of versions. */
export function eventsOf(job: PlannedJob): readonly PlannedEvent[] {
  const events = [submitted(job)];
  if (job.leasedAt !== null) events.push(byWorker(job, 2, 'JobLeased', job.leasedAt, LEASED));
  const output = outputOf(job);
  if (output !== null) events.push(...finishedNode(job, output));
  if (job.askedAt !== null)
    events.push({
      ...byWorker(job, 3, 'CancelRequested', job.askedAt, '{}'),
      correlationId: 'cancel-job',
      status: 'canceling',
    });
  if (job.endedAt !== null) events.push(ended(job, job.endedAt));
  return events;
}

/** Id of the event with this version; 0 is the request. */
function idOf({ number }: PlannedJob, version: number, at: number): Buffer {
  const first = FREE_NUMBERS + 2 * version;
  return uuid7(at, number(5), number(first), number(first + 1));
}

function submitted(job: PlannedJob): PlannedEvent {
  const key = job.key === null ? 'null' : `"${job.key}"`;
  // A job without price and revision is written as before them.
  const pinned =
    job.revision === 0 ? '' : `"price":{"perJob":0,"perSecondMicros":0},"reserved":0,"revision":${job.revision},`;
  return {
    ...byWorker(
      job,
      1,
      'JobSubmitted',
      job.at,
      `{"workflowHash":"${job.workflow.hashText}","nodesTotal":2,"inputs":[],"metadata":${job.metadata},` +
        `"idempotencyKey":${key},"hasCredentials":false,"maxAttempts":3,"retentionMs":${job.expiresAt - job.at},` +
        `"maxQueueWaitMs":86400000,"surface":"${job.surface}",${pinned}"traceparent":null}`,
    ),
    schemaVersion: job.revision === 0 ? 1 : 2,
    fence: 0,
    correlationId: uuidText(idOf(job, 0, job.at)),
    status: 'queued',
  };
}

function byWorker(job: PlannedJob, version: number, type: JobEventType, at: number, data: string): PlannedEvent {
  return {
    job,
    id: idOf(job, version, at),
    version,
    type,
    schemaVersion: 1,
    at,
    fence: 1,
    workerSeq: null,
    isTerminal: false,
    correlationId: WORKER,
    status: 'running',
    data,
  };
}

function finishedNode(job: PlannedJob, output: string): readonly PlannedEvent[] {
  const at = job.endedAt!;
  const leased = new Date(job.leasedAt!).toISOString();
  const data = `{"nodeId":"2","classType":"SaveImage","startedAt":"${leased}","endedAt":"${leased}","cached":false}`;
  return [
    { ...byWorker(job, 3, 'NodeFinished', at, data), workerSeq: 1 },
    { ...byWorker(job, 4, 'OutputCommitted', at, output), workerSeq: 2 },
  ];
}

const ENDS: Readonly<Record<string, JobEventType>> = {
  succeeded: 'JobSucceeded',
  failed: 'JobFailed',
  canceled: 'JobCanceled',
  expired: 'JobExpired',
};

function ended(job: PlannedJob, at: number): PlannedEvent {
  const ran = job.leasedAt !== null;
  const waited = job.status === 'canceled' ? 'cancel-job' : 'deadline:queue';
  return {
    ...byWorker(job, job.version, ENDS[job.status]!, at, endingOf(job, ran)),
    fence: job.fence,
    workerSeq: ran ? job.version - 2 - (job.askedAt === null ? 0 : 1) : null,
    isTerminal: true,
    correlationId: ran ? WORKER : waited,
    status: job.status,
  };
}

function endingOf(job: PlannedJob, ran: boolean): string {
  const progress = progressOf(job) ?? 'null';
  if (job.status === 'failed') return `{"error":${errorOf(job)},"progress":${progress}}`;
  if (job.status === 'canceled') return `{"reason":"${ran ? 'confirmed' : 'requested'}","progress":null}`;
  return `{"progress":${progress}}`;
}
