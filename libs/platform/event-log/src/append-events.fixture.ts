import { EVENT_COLUMNS } from './schema/event-log-migration.js';
import type { StoredEvent } from './read-events/stored-event.js';

/** An event to append. The database sets the time unless the caller decided by a specific one. */
export type NewEvent = Omit<StoredEvent, 'recordedAt' | 'data' | 'dataDigest'> & {
  readonly recordedAt?: string;
  readonly data: Buffer;
};

const TYPES: Readonly<Record<(typeof EVENT_COLUMNS)[number], string>> = {
  event_id: 'uuid',
  stream_id: 'uuid',
  version: 'int',
  type: 'text',
  schema_version: 'smallint',
  account_id: 'uuid',
  deployment_id: 'uuid',
  fence: 'bigint',
  worker_seq: 'bigint',
  is_terminal: 'boolean',
  recorded_at: 'timestamptz',
  correlation_id: 'text',
  causation_id: 'uuid',
  data: 'bytea',
  status: 'text',
  traceparent: 'text',
};

/**
 * An insert of any number of events. Its parameters are `appendParameters`. A version that the stream already has fails
 * with 23505 on a constraint of the stream's partition.
 */
export function appendEventsSql(schema: string): string {
  const parameters = EVENT_COLUMNS.map((column, i) => `$${i + 1}::${TYPES[column]}[]`).join(', ');
  const columns = EVENT_COLUMNS.join(', ');
  const selected = EVENT_COLUMNS.map((column) =>
    column === 'recorded_at' ? 'coalesce(recorded_at, heddle.clock_now_ms())' : column,
  ).join(', ');
  return `insert into ${schema}.event (${columns}) select ${selected} from unnest(${parameters}) as n (${columns})`;
}

export function appendParameters(events: readonly NewEvent[]): unknown[] {
  return [
    events.map((event) => event.eventId),
    events.map((event) => event.streamId),
    events.map((event) => event.version),
    events.map((event) => event.type),
    events.map((event) => event.schemaVersion),
    events.map((event) => event.accountId),
    events.map((event) => event.deploymentId),
    events.map((event) => event.fence),
    events.map((event) => event.workerSeq),
    events.map((event) => event.isTerminal),
    events.map((event) => event.recordedAt ?? null),
    events.map((event) => event.correlationId),
    events.map((event) => event.causationId),
    events.map((event) => event.data),
    events.map((event) => event.status),
    events.map((event) => event.traceparent),
  ];
}
