import type { JobEvent, JobEventType } from './job.events.js';

type FieldOf<Type extends JobEventType> = keyof Extract<JobEvent, { type: Type }>['data'];

/** What readers of the log must know of an event type; the compiler asks for each type and each field. */
interface EventMeaning<Field extends PropertyKey = string> {
  readonly meaning: string;
  readonly fields: Readonly<Record<Field, string>>;
}

const PROGRESS = 'the newest progress when the event was written; null if the worker reported none';

export const EVENT_MEANINGS: { readonly [Type in JobEventType]: EventMeaning<FieldOf<Type>> } = {
  JobSubmitted: {
    meaning: 'A client submitted the job. Always version 1.',
    fields: {
      workflowHash: '`blake3:` and the hex digest of the workflow, whose bytes are stored beside the log',
      nodesTotal: 'number of nodes on which an output depends',
      inputs: 'assets that the workflow names',
      metadata: 'labels of the submission',
      idempotencyKey: 'key of the submission; null if it had none',
      hasCredentials: 'true if the submission carried partner credentials; the log never contains them',
      maxAttempts: 'how many attempts the job may spend',
      retentionMs: 'milliseconds from the submission to the purge',
      maxQueueWaitMs: 'milliseconds in the queue after which the job expires',
      surface: '`managed`, `dedicated` or `self-hosted`',
      price: 'price of the deployment at the submission',
      reserved: 'credits that the submission reserved',
      revision: 'revision of the environment for which the workflow was validated; 0 if there is none',
      traceparent: 'W3C trace context of the request',
    },
  },
  JobLeased: {
    meaning: 'A worker got the job. The attempt starts.',
    fields: {
      attempt: 'number of the attempt, from 1; an attempt that was not spent is given again',
      fence: 'number of the lease within the job, from 1; join attempts and nodes on it',
      workerId: 'the worker',
      environment: 'the environment of the worker',
      maxRuntimeMs: 'milliseconds after which the attempt ends with `timeout`',
    },
  },
  LeaseLost: {
    meaning: 'The attempt ended without a result and the job is queued again.',
    fields: {
      reason:
        '`expired`: no heartbeat; `engine_lost`: the engine crashed; `handed_back`: the worker returned the lease',
      detail: 'free text of the worker; null if there is none',
      attemptSpent: 'false if the attempt is repeated under its old number',
      progress: PROGRESS,
    },
  },
  NodeFinished: {
    meaning: 'A node of the graph finished, or its result came from the cache.',
    fields: {
      nodeId: 'id of the node in the workflow',
      classType: 'node class',
      startedAt: "start by the worker's clock, ISO 8601",
      endedAt: "end by the worker's clock, ISO 8601",
      cached: 'true if the engine did not run the node',
    },
  },
  OutputCommitted: {
    meaning: 'An output of the job was stored.',
    fields: {
      nodeId: 'id of the node in the workflow',
      key: '`<node id>/<slot>/<index>`; unique within the job',
      name: "the engine's file name",
      type: 'kind of the output',
      contentType: 'media type',
      sizeBytes: 'size of the bytes',
      assetId: 'asset that holds the bytes',
      hash: '`blake3:` and the hex digest of the bytes',
    },
  },
  LogCaptured: {
    meaning: 'The execution log of the attempt was stored.',
    fields: { sizeBytes: 'size of the kept text', truncated: 'true if its beginning was dropped' },
  },
  CancelRequested: { meaning: 'A client requested a cancel while a worker had the job.', fields: {} },
  JobSucceeded: { meaning: 'The job succeeded. Terminal.', fields: { progress: PROGRESS } },
  JobFailed: {
    meaning: 'The job failed. Terminal.',
    fields: {
      error: 'what failed, with the node if a node failed',
      progress: PROGRESS,
      nodeRun:
        "start and end of the failed node by the worker's clock; null if no node failed, or if they are not known",
    },
  },
  JobCanceled: {
    meaning: 'The job was canceled. Terminal.',
    fields: {
      reason:
        '`requested`: while it was queued; `confirmed`: the worker stopped; `unanswered`: the worker did not answer; ' +
        '`worker_lost`: its worker was lost; `overrun`: it exceeded its maximum runtime',
      progress: PROGRESS,
    },
  },
  JobExpired: {
    meaning: 'The job waited longer than the maximum queue wait. Terminal.',
    fields: { progress: PROGRESS },
  },
  JobPurged: {
    meaning: 'The retention of the job ended: rows, outputs and payloads with text of people were removed.',
    fields: {},
  },
};
