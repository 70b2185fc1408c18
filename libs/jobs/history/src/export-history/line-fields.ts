import { literal } from '../read-export/sql-literal.js';

/** How a value stands in a line. Text and bytes are hex digits, so that no line has a quote, an escape or a line feed of its own. */
export type LineForm = 'number' | 'flag' | 'milliseconds' | 'hex';

interface LineField {
  readonly name: string;
  /** Of the number `s` and its event `e` in PostgreSQL. */
  readonly sql: string;
  readonly form: LineForm;
  /** The type that DuckDB reads. */
  readonly type: string;
}

/** The fields of a line, by tabs; null is an empty field. */
export const LINE_FIELDS: readonly LineField[] = [
  { name: 'recorded_ms', sql: 'e.recorded_at', form: 'milliseconds', type: 'BIGINT' },
  { name: 'seq', sql: 's.seq', form: 'number', type: 'BIGINT' },
  { name: 'event_id', sql: 'e.event_id', form: 'hex', type: 'UUID' },
  { name: 'job_id', sql: 'e.stream_id', form: 'hex', type: 'UUID' },
  { name: 'version', sql: 'e.version::bigint', form: 'number', type: 'INTEGER' },
  { name: 'schema_version', sql: 'e.schema_version::bigint', form: 'number', type: 'INTEGER' },
  { name: 'account_id', sql: 'e.account_id', form: 'hex', type: 'UUID' },
  { name: 'deployment_id', sql: 'e.deployment_id', form: 'hex', type: 'UUID' },
  { name: 'fence', sql: 'e.fence', form: 'number', type: 'BIGINT' },
  { name: 'worker_seq', sql: 'e.worker_seq', form: 'number', type: 'BIGINT' },
  { name: 'is_terminal', sql: 'e.is_terminal', form: 'flag', type: 'BOOLEAN' },
  { name: 'causation_id', sql: 'e.causation_id', form: 'hex', type: 'UUID' },
  { name: 'correlation_hex', sql: 'e.correlation_id', form: 'hex', type: 'VARCHAR' },
  { name: 'data_hex', sql: 'e.data', form: 'hex', type: 'VARCHAR' },
  { name: 'digest_hex', sql: 'coalesce(sha256(e.data), e.data_digest)', form: 'hex', type: 'VARCHAR' },
  { name: 'chain_hex', sql: 's.chain', form: 'hex', type: 'VARCHAR' },
];

/** The select list of a row. With `redact`, payloads do not leave the database; their digests do. */
export function rowColumns(redact: boolean): string {
  const fields = LINE_FIELDS.map(({ name, sql }) => (redact && name === 'data_hex' ? 'null::bytea' : sql));
  return ['s.link', 'e.type', ...fields].join(', ');
}

/** Hex digits of 1 MiB, and all other fields. DuckDB holds some buffers of the size below. */
const MAX_LINE_BYTES = 2_200_000;
const READ_BYTES = 4_000_000;

/** A file of lines as a relation of DuckDB. */
export function readLines(file: string): string {
  const columns = LINE_FIELDS.map(({ name, type }) => `${name}: '${type}'`).join(', ');
  return `read_csv(${literal(file)}, auto_detect = false, header = false, delim = '\t', quote = '', escape = '',
    nullstr = '', max_line_size = ${MAX_LINE_BYTES}, buffer_size = ${READ_BYTES}, columns = {${columns}})`;
}
