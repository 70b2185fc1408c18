import { hash } from 'node:crypto';
import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DuckDBBlobValue,
  DuckDBTimestampTZValue,
  INTEGER,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api';
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { literal } from './sql-literal.js';

/** Columns of an export in order, each with its type and its value of an event. */
const COLUMNS: readonly (readonly [name: string, type: DuckDBType, value: (event: NumberedEvent) => DuckDBValue])[] = [
  ['seq', BIGINT, ({ seq }) => seq],
  ['event_id', VARCHAR, ({ eventId }) => eventId],
  ['job_id', VARCHAR, ({ streamId }) => streamId],
  ['version', INTEGER, ({ version }) => version],
  ['type', VARCHAR, ({ type }) => type],
  ['schema_version', INTEGER, ({ schemaVersion }) => schemaVersion],
  ['account_id', VARCHAR, ({ accountId }) => accountId],
  ['deployment_id', VARCHAR, ({ deploymentId }) => deploymentId],
  ['fence', BIGINT, ({ fence }) => bigOrNull(fence)],
  ['worker_seq', BIGINT, ({ workerSeq }) => bigOrNull(workerSeq)],
  ['is_terminal', BOOLEAN, ({ isTerminal }) => isTerminal],
  ['recorded_at', TIMESTAMPTZ, ({ recordedAt }) => instant(recordedAt)],
  ['correlation_id', VARCHAR, ({ correlationId }) => correlationId],
  ['causation_id', VARCHAR, ({ causationId }) => causationId],
  ['data', VARCHAR, ({ data }) => data?.toString('utf8') ?? null],
  ['data_sha256', BLOB, (event) => new DuckDBBlobValue(digest(event))],
  ['chain', BLOB, ({ chain }) => (chain === null ? null : new DuckDBBlobValue(chain))],
];

export const COLUMN_TYPES: readonly DuckDBType[] = COLUMNS.map(([, type]) => type);

export const COLUMN_LIST = COLUMNS.map(([name]) => name).join(', ');

export const TABLE_COLUMNS = COLUMNS.map(([name, type]) => `${name} ${type.toString()}`).join(', ');

/**
 * Fields of the payload that analysts group and filter by, as columns of their own: no text that people wrote, and null
 * where there is no payload or no such field. Each names the types of events that have it.
 */
const PAYLOAD_COLUMNS: readonly PayloadColumn[] = [
  ['d_node_id', 'VARCHAR', { NodeFinished: 'nodeId', OutputCommitted: 'nodeId', JobFailed: 'error.nodeId' }],
  ['d_class_type', 'VARCHAR', { NodeFinished: 'classType', JobFailed: 'error.classType' }],
  ['d_started_at', 'TIMESTAMP WITH TIME ZONE', { NodeFinished: 'startedAt', JobFailed: 'nodeRun.startedAt' }],
  ['d_ended_at', 'TIMESTAMP WITH TIME ZONE', { NodeFinished: 'endedAt', JobFailed: 'nodeRun.endedAt' }],
  ['d_cached', 'BOOLEAN', { NodeFinished: 'cached' }],
  ['d_attempt', 'INTEGER', { JobLeased: 'attempt' }],
  ['d_worker_id', 'VARCHAR', { JobLeased: 'workerId' }],
  ['d_environment', 'VARCHAR', { JobLeased: 'environment' }],
  ['d_reason', 'VARCHAR', { LeaseLost: 'reason', JobCanceled: 'reason' }],
  ['d_attempt_spent', 'BOOLEAN', { LeaseLost: 'attemptSpent' }],
  ['d_error_code', 'VARCHAR', { JobFailed: 'error.code' }],
  ['d_workflow_hash', 'VARCHAR', { JobSubmitted: 'workflowHash' }],
  ['d_nodes_total', 'INTEGER', { JobSubmitted: 'nodesTotal' }],
  ['d_surface', 'VARCHAR', { JobSubmitted: 'surface' }],
  ['d_content_type', 'VARCHAR', { OutputCommitted: 'contentType' }],
  ['d_size_bytes', 'BIGINT', { OutputCommitted: 'sizeBytes', LogCaptured: 'sizeBytes' }],
];

type PayloadColumn = readonly [name: string, type: string, pathByEvent: Readonly<Record<string, string>>];

/** Every column of an export. */
export const EXPORT_COLUMNS = [
  TABLE_COLUMNS,
  'exported_at TIMESTAMP WITH TIME ZONE',
  ...PAYLOAD_COLUMNS.map(([name, type]) => `${name} ${type}`),
].join(', ');

/** The names of the columns that repeat fields of the payload. */
export const PAYLOAD_NAMES = PAYLOAD_COLUMNS.map(([name]) => name);

/** Every type whose payload has such fields. */
const TYPES = [...new Set(PAYLOAD_COLUMNS.flatMap(([, , byEvent]) => Object.keys(byEvent)))];

/** The paths of the fields that the payload of a type has. */
function pathsOf(type: string): string[] {
  return PAYLOAD_COLUMNS.flatMap(([, , byEvent]) => byEvent[type] ?? []);
}

/**
 * Selects `columns` `from` a relation that has `type` and `data`, and the fields of the payload. Each payload is parsed
 * once for all columns, and asked only for what its type has: to look for all fields takes thrice the time. `types` are
 * all that the relation may have.
 */
export function withPayloadColumns(columns: string, from: string, types: readonly string[] = TYPES): string {
  const parsed = types
    .filter((type) => TYPES.includes(type))
    .map((type) => {
      const list = pathsOf(type).map((path) => literal(`$.${path}`));
      return `when ${literal(type)} then try(json_extract_string(data, [${list.join(', ')}]))`;
    });
  const list = PAYLOAD_COLUMNS.map(([name, type, byEvent]) => {
    const found = Object.entries(byEvent)
      .filter(([event]) => types.includes(event))
      .map(([event, path]) => `when ${literal(event)} then fields[${pathsOf(event).indexOf(path) + 1}]`);
    return found.length === 0
      ? `null::${type} as ${name}`
      : `try_cast(case type ${found.join(' ')} end as ${type}) as ${name}`;
  });
  const fields = parsed.length === 0 ? 'null' : `case type ${parsed.join(' ')} end`;
  return `select ${columns}, ${list.join(', ')} from (select *, ${fields} as fields ${from})`;
}

/** Selects the rows of an export `from` a table of `TABLE_COLUMNS`. A payload that is no JSON is exported as it is. */
export function exportRows(exportedAt: string, from: string): string {
  const columns = `${COLUMN_LIST}, timestamptz ${literal(exportedAt)} as exported_at`;
  return `${withPayloadColumns(columns, from)} order by job_id, version`;
}

/** The values of some events, column by column. */
export function columnsOf(events: readonly NumberedEvent[]): DuckDBValue[][] {
  return COLUMNS.map(([, , value]) => events.map((event) => value(event)));
}

/** The event of a row that was selected by `COLUMN_LIST`. */
export function eventOfRow(row: readonly DuckDBValue[]): NumberedEvent {
  const text = (at: number): string => String(row[at]);
  const textOrNull = (at: number): string | null => (row[at] === null ? null : text(at));
  const numberOrNull = (at: number): number | null => (row[at] === null ? null : Number(row[at]));
  const bytes = (at: number): Buffer | null => {
    const value = row[at];
    return value instanceof DuckDBBlobValue ? Buffer.from(value.bytes) : null;
  };
  const data = textOrNull(14);
  return {
    seq: row[0] === null ? null : BigInt(text(0)),
    eventId: text(1),
    streamId: text(2),
    version: Number(row[3]),
    type: text(4),
    schemaVersion: Number(row[5]),
    accountId: text(6),
    deploymentId: text(7),
    fence: numberOrNull(8),
    workerSeq: numberOrNull(9),
    isTerminal: row[10] === true,
    recordedAt: new Date(Number((row[11] as DuckDBTimestampTZValue).micros / 1_000n)).toISOString(),
    correlationId: textOrNull(12),
    causationId: textOrNull(13),
    data: data === null ? null : Buffer.from(data),
    dataDigest: bytes(15) ?? undefined,
    chain: bytes(16),
    status: null,
    traceparent: null,
  };
}

function digest({ data, dataDigest }: NumberedEvent): Buffer {
  return data === null ? (dataDigest ?? Buffer.alloc(0)) : hash('sha256', data, 'buffer');
}

function instant(iso: string): DuckDBTimestampTZValue {
  return new DuckDBTimestampTZValue(BigInt(Date.parse(iso)) * 1_000n);
}

function bigOrNull(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
