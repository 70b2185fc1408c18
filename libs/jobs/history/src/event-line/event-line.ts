import type { NumberedEvent } from '@heddle/platform-event-log';
import { field, optionalText, parsedObject, wholeNumber, uuid, uuidOrNull, BadLineError } from './line-fields.js';

/** An event as one JSON object, as commands print and read it. Every key is always present. */
export interface EventLine {
  readonly seq: number | null;
  readonly event_id: string;
  readonly job_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly account_id: string;
  readonly deployment_id: string;
  readonly fence: number | null;
  readonly worker_seq: number | null;
  readonly is_terminal: boolean;
  readonly recorded_at: string;
  readonly correlation_id: string | null;
  readonly causation_id: string | null;
  /** 64 hex digits; null while the event has no number. */
  readonly chain: string | null;
  /** The payload; null if it was purged. A payload that is not JSON, which no build writes, is given as text. */
  readonly data: unknown;
}

const CHAIN = /^[\da-f]{64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

export function eventLine(event: NumberedEvent): EventLine {
  return {
    seq: event.seq === null ? null : Number(event.seq),
    event_id: event.eventId,
    job_id: event.streamId,
    version: event.version,
    type: event.type,
    schema_version: event.schemaVersion,
    account_id: event.accountId,
    deployment_id: event.deploymentId,
    fence: event.fence,
    worker_seq: event.workerSeq,
    is_terminal: event.isTerminal,
    recorded_at: event.recordedAt,
    correlation_id: event.correlationId,
    causation_id: event.causationId,
    chain: event.chain?.toString('hex') ?? null,
    data: event.data === null ? null : payload(event.data.toString('utf8')),
  };
}

/** Reads a line that `eventLine` made; throws `BadLineError`, which names the field. */
export function readEventLine(text: string): NumberedEvent {
  const line = parsedObject(text);
  const chain = optionalText(line, 'chain');
  if (chain !== null && !CHAIN.test(chain)) throw new BadLineError('chain is not 64 hex digits');
  const recordedAt = String(field(line, 'recorded_at'));
  if (!INSTANT.test(recordedAt) || Number.isNaN(Date.parse(recordedAt)))
    throw new BadLineError('recorded_at is not an instant in UTC');
  const isTerminal = field(line, 'is_terminal');
  if (typeof isTerminal !== 'boolean') throw new BadLineError('is_terminal is not true or false');
  const type = optionalText(line, 'type');
  if (type === null || type === '') throw new BadLineError('type is empty');
  const seq = wholeNumber(line, 'seq', 1);
  const data = field(line, 'data');
  return {
    seq: seq === null ? null : BigInt(seq),
    chain: chain === null ? null : Buffer.from(chain, 'hex'),
    eventId: uuid(line, 'event_id'),
    streamId: uuid(line, 'job_id'),
    version: required(wholeNumber(line, 'version', 1, 2 ** 31 - 1), 'version'),
    type,
    schemaVersion: required(wholeNumber(line, 'schema_version', 1, 2 ** 15 - 1), 'schema_version'),
    accountId: uuid(line, 'account_id'),
    deploymentId: uuid(line, 'deployment_id'),
    fence: wholeNumber(line, 'fence', 0),
    workerSeq: wholeNumber(line, 'worker_seq', 0),
    isTerminal,
    recordedAt: new Date(recordedAt).toISOString(),
    correlationId: optionalText(line, 'correlation_id'),
    causationId: uuidOrNull(line, 'causation_id'),
    // The stored text is what JSON.stringify gives, so that parsing and printing returns its bytes.
    data: data === null ? null : Buffer.from(JSON.stringify(data)),
    status: null,
    traceparent: null,
  };
}

function payload(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function required(value: number | null, name: string): number {
  if (value === null) throw new BadLineError(`${name} is null`);
  return value;
}
