import {
  flag,
  labels,
  listOf,
  number,
  oneOf,
  orNull,
  parsedPayload,
  record,
  text,
  UndecodableEvent,
  withSchema,
} from '@heddle/event-codec';
import type { Decoder, EventSchema } from '@heddle/event-codec';
import { FREE, isFree } from './charge.js';
import type {
  JobEvent,
  JobEventType,
  JobPrice,
  NodeRun,
  RecordedError,
  RecordedInput,
  RecordedOutput,
  RecordedProgress,
} from './job.events.js';

type DataOf<Type extends JobEventType> = Extract<JobEvent, { type: Type }>['data'];

const input = record<RecordedInput>({
  assetId: text,
  hash: text,
  sizeBytes: number,
  filePath: text,
  name: orNull(text),
});

const progress = record<RecordedProgress>({
  value: number,
  nodesDone: number,
  nodesTotal: number,
  currentNode: orNull(text),
  currentNodeClass: orNull(text),
  step: orNull(number),
  steps: orNull(number),
  message: orNull(text),
});

const output = record<RecordedOutput>({
  nodeId: text,
  key: text,
  name: text,
  type: oneOf('image', 'video', 'audio', 'text', 'file', 'latent'),
  contentType: text,
  sizeBytes: number,
  assetId: text,
  hash: text,
});

const error = record<RecordedError>({
  code: oneOf(
    'node_execution_error',
    'out_of_memory',
    'worker_lost',
    'timeout',
    'engine_error',
    'credential_expired',
    'credential_lost',
    'output_limit',
  ),
  message: text,
  nodeId: orNull(text),
  classType: orNull(text),
  traceback: orNull(text),
});

const submissionV1 = {
  workflowHash: text,
  nodesTotal: number,
  inputs: listOf(input),
  metadata: labels,
  idempotencyKey: orNull(text),
  hasCredentials: flag,
  maxAttempts: number,
  retentionMs: number,
  maxQueueWaitMs: number,
  surface: text,
};

const submissionBeforePrices = record<Omit<DataOf<'JobSubmitted'>, 'price' | 'reserved' | 'revision'>>({
  ...submissionV1,
  traceparent: orNull(text),
});

const failureBeforeNodeRuns = record<Omit<DataOf<'JobFailed'>, 'nodeRun'>>({ error, progress: orNull(progress) });

/** The newest schema version of each event. */
const decoders: { readonly [Type in JobEventType]: Decoder<DataOf<Type>> } = {
  JobSubmitted: record({
    ...submissionV1,
    price: record<JobPrice>({ perJob: number, perSecondMicros: number }),
    reserved: number,
    revision: number,
    traceparent: orNull(text),
  }),
  JobLeased: record({ attempt: number, fence: number, workerId: text, environment: text, maxRuntimeMs: number }),
  LeaseLost: record({
    reason: oneOf('expired', 'engine_lost', 'handed_back'),
    detail: orNull(text),
    attemptSpent: flag,
    progress: orNull(progress),
  }),
  NodeFinished: record({ nodeId: text, classType: text, startedAt: text, endedAt: text, cached: flag }),
  OutputCommitted: output,
  LogCaptured: record({ sizeBytes: number, truncated: flag }),
  CancelRequested: record({}),
  JobSucceeded: record({ progress: orNull(progress) }),
  JobFailed: record({
    error,
    progress: orNull(progress),
    nodeRun: orNull(record<NodeRun>({ startedAt: text, endedAt: text })),
  }),
  JobCanceled: record({
    reason: oneOf('requested', 'confirmed', 'unanswered', 'worker_lost', 'overrun'),
    progress: orNull(progress),
  }),
  JobExpired: record({ progress: orNull(progress) }),
  JobPurged: record({}),
};

/** Earlier schema versions of an event, the first one first, each with what its fields were before they were written. */
const olderDecoders: { readonly [Type in JobEventType]?: readonly Decoder<DataOf<Type>>[] } = {
  JobSubmitted: [
    withSchema(submissionBeforePrices.schema, (value, at) => ({
      ...submissionBeforePrices(value, at),
      price: FREE,
      reserved: 0,
      revision: 0,
    })),
  ],
  JobFailed: [
    withSchema(failureBeforeNodeRuns.schema, (value, at) => ({ ...failureBeforeNodeRuns(value, at), nodeRun: null })),
  ],
};

/**
 * The log format that introduced each schema version of an event type, version 1 first. A new type or version gets the
 * next number; writers use it only when every live replica reads that format (docs/decisions/0023).
 */
export const JOB_EVENT_FORMATS: { readonly [Type in JobEventType]: readonly number[] } = {
  JobSubmitted: [1, 2],
  JobLeased: [1],
  LeaseLost: [1],
  NodeFinished: [1],
  OutputCommitted: [1],
  LogCaptured: [1],
  CancelRequested: [1],
  JobSucceeded: [1],
  JobFailed: [1, 3],
  JobCanceled: [1],
  JobExpired: [1],
  JobPurged: [1],
};

/** This build reads this log format and all before it. */
export const JOB_EVENT_FORMAT = Math.max(...Object.values(JOB_EVENT_FORMATS).flat());

/** The log format that a reader needs for this event in a schema version. */
export function formatOfJobEvent(type: JobEventType, schemaVersion = JOB_EVENT_SCHEMA_VERSION): number {
  return JOB_EVENT_FORMATS[type][schemaVersion - 1]!;
}

export const JOB_EVENT_TYPES = Object.keys(decoders) as readonly JobEventType[];
const EVENT_TYPES: ReadonlySet<string> = new Set(JOB_EVENT_TYPES);

/** The default schema version of an event; `schemaVersionOfJobEvent` knows the exceptions. */
export const JOB_EVENT_SCHEMA_VERSION = 1;

/**
 * The schema version in which this event is written: the oldest that holds all its fields. A job without price and
 * revision is written in version 1, so that a service that uses neither can be rolled back to a build that reads
 * neither. The same holds for a failure without the run of its node.
 */
export function schemaVersionOfJobEvent(event: JobEvent): number {
  if (event.type === 'JobFailed') return event.data.nodeRun === null ? 1 : 2;
  if (event.type !== 'JobSubmitted') return JOB_EVENT_SCHEMA_VERSION;
  const { price, reserved, revision } = event.data;
  return isFree(price) && reserved === 0 && revision === 0 ? 1 : 2;
}

/** True if this build reads this schema version of this type. */
export function readsJobEvent(type: string, schemaVersion: number): boolean {
  return isEventType(type) && schemaVersion >= 1 && schemaVersion <= JOB_EVENT_FORMATS[type].length;
}

/**
 * The event as it will be read back: only the fields of its shape, in its order. Each event has one encoding, and extra
 * fields of a caller's object cannot enter the log. Throws `UndecodableEvent` for another shape.
 */
export function canonicalJobEvent(event: JobEvent): JobEvent {
  return { type: event.type, data: decoders[event.type](event.data, event.type) } as JobEvent;
}

/** The payload as it is stored. Takes an event that `canonicalJobEvent` returned, whose fields are in order. */
export function encodeJobEvent(canonical: JobEvent): string {
  if (schemaVersionOfJobEvent(canonical) > 1) return JSON.stringify(canonical.data);
  if (canonical.type === 'JobFailed') {
    const { nodeRun: _nodeRun, ...failure } = canonical.data;
    return JSON.stringify(failure);
  }
  if (canonical.type !== 'JobSubmitted') return JSON.stringify(canonical.data);
  const { price: _price, reserved: _reserved, revision: _revision, ...before } = canonical.data;
  return JSON.stringify(before);
}

/** Decodes a stored payload; throws `UndecodableEvent` if this build cannot. */
export function decodeJobEvent(type: string, schemaVersion: number, data: string): JobEvent {
  if (!isEventType(type)) throw new UndecodableEvent(`unknown job event type ${type}`);
  const newest = JOB_EVENT_FORMATS[type].length;
  if (!readsJobEvent(type, schemaVersion)) {
    throw new UndecodableEvent(`${type} has schema version ${schemaVersion}, this build reads up to ${newest}`);
  }
  return { type, data: decoderOf(type, schemaVersion)(parsedPayload(type, data), type) } as JobEvent;
}

/** The JSON Schema of the payload of a schema version, as the codec reads it. */
export function jobEventDataSchema(type: JobEventType, schemaVersion: number): EventSchema {
  return decoderOf(type, schemaVersion).schema;
}

function decoderOf(type: JobEventType, schemaVersion: number): Decoder<unknown> {
  return schemaVersion === JOB_EVENT_FORMATS[type].length ? decoders[type] : olderDecoders[type]![schemaVersion - 1]!;
}

function isEventType(type: string): type is JobEventType {
  return EVENT_TYPES.has(type);
}
