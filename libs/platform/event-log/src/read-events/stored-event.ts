/** An event as stored. Every type has the same envelope; `data` is the payload's canonical JSON in bytes. */
export interface StoredEvent {
  readonly eventId: string;
  readonly streamId: string;
  /** Dense 1, 2, 3... within the stream. */
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly accountId: string;
  readonly deploymentId: string;
  readonly fence: number | null;
  readonly workerSeq: number | null;
  readonly isTerminal: boolean;
  /** ISO 8601, UTC, milliseconds. */
  readonly recordedAt: string;
  /** Id of the request that caused the event. */
  readonly correlationId: string | null;
  /** Id of the event that caused this one. */
  readonly causationId: string | null;
  /** Null if the payload was purged after the last event of its stream; `dataDigest` stays. */
  readonly data: Buffer | null;
  /** SHA-256 of the purged payload, 32 bytes; undefined while the payload exists. */
  readonly dataDigest?: Buffer | undefined;
  /** The job status after this event; null in rows of builds that did not write it. Not part of the hash chain. */
  readonly status: string | null;
  /**
   * W3C trace context of the request that started the stream; null also in rows of builds that did not write it. Not
   * part of the hash chain.
   */
  readonly traceparent: string | null;
}

/** An event with its number in the whole log. */
export interface SequencedEvent extends StoredEvent {
  /** Dense from 1 over the whole log. */
  readonly seq: bigint;
  readonly epoch: bigint;
  readonly chain: Buffer;
}

/** An event whose number is null until the sequencer has given it one. */
export interface NumberedEvent extends StoredEvent {
  readonly seq: bigint | null;
  readonly chain: Buffer | null;
}

/** A row of `EVENT_SELECT` as the driver returns it: 64-bit numbers are strings. */
export interface EventRow {
  readonly event_id: string;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly account_id: string;
  readonly deployment_id: string;
  readonly fence: string | null;
  readonly worker_seq: string | null;
  readonly is_terminal: boolean;
  readonly recorded_ms: number;
  readonly correlation_id: string | null;
  readonly causation_id: string | null;
  readonly data: Buffer | null;
  readonly data_digest: Buffer | null;
  readonly status: string | null;
  readonly traceparent: string | null;
}

/**
 * Select list for an event aliased `e`. Times are milliseconds, which are several times cheaper to parse than
 * timestamps.
 */
export const EVENT_SELECT = `e.event_id, e.stream_id, e.version, e.type, e.schema_version, e.account_id, e.deployment_id, e.fence, e.worker_seq,
  e.is_terminal, (extract(epoch from e.recorded_at) * 1000)::float8 as recorded_ms, e.correlation_id, e.causation_id, e.data,
  e.data_digest, e.status, e.traceparent`;

export function storedEvent(row: EventRow): StoredEvent {
  return {
    eventId: row.event_id,
    streamId: row.stream_id,
    version: row.version,
    type: row.type,
    schemaVersion: row.schema_version,
    accountId: row.account_id,
    deploymentId: row.deployment_id,
    fence: row.fence === null ? null : Number(row.fence),
    workerSeq: row.worker_seq === null ? null : Number(row.worker_seq),
    isTerminal: row.is_terminal,
    recordedAt: instantOf(row.recorded_ms),
    correlationId: row.correlation_id,
    causationId: row.causation_id,
    data: row.data,
    dataDigest: row.data_digest ?? undefined,
    status: row.status,
    traceparent: row.traceparent,
  };
}

let latest = { ms: Number.NaN, text: '' };

/** The events of one report share their instant, and to write it costs more than to parse a small payload. */
function instantOf(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() };
  return latest.text;
}
