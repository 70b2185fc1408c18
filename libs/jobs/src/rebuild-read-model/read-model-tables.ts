import type { JobProjection, VisibleJob } from '@heddle/jobs-domain';
import type { BinaryRow } from '@heddle/platform-database';

/** A job folded from its events. */
interface FoldedJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly deploymentId: string;
  readonly state: VisibleJob;
  /** The projection of the state, made once for all tables. */
  readonly view: JobProjection;
}

/** A row of the read model with every column as text, for rebuild and byte-for-byte comparison. */
export type ReadModelRow = readonly (string | null)[];

export type ColumnType = 'uuid' | 'text' | 'int' | 'timestamptz' | 'bytea' | 'json' | 'text[]';

/** The rows of a job in each of `READ_MODEL_TABLES`. */
export type JobRows = readonly (readonly ReadModelRow[])[];

/** A table derived from the log. job_progress is not: it is volatile. */
export interface ReadModelTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** Number of leading key columns; the first is the job id. */
  readonly keyWidth: number;
  /** Names a row in messages. */
  readonly describe: (row: ReadModelRow) => string;
  /** The rows of a job, in column order. */
  readonly rows: (job: FoldedJob) => readonly ReadModelRow[];
}

/** The tables of the read model. A new column needs a line in `columns` and a value in `rows`. */
export const READ_MODEL_TABLES: readonly ReadModelTable[] = [
  {
    name: 'job',
    columns: [
      ['id', 'uuid'],
      ['account_id', 'uuid'],
      ['deployment_id', 'uuid'],
      ['status', 'text'],
      ['version', 'int'],
      ['fence', 'int'],
      ['created_at', 'timestamptz'],
      ['updated_at', 'timestamptz'],
      ['started_at', 'timestamptz'],
      ['completed_at', 'timestamptz'],
      ['expires_at', 'timestamptz'],
      ['workflow_hash', 'bytea'],
      ['idempotency_key', 'text'],
      ['metadata', 'json'],
      ['labels', 'text[]'],
      ['progress', 'json'],
      ['error', 'json'],
      ['final_status', 'text'],
    ],
    keyWidth: 1,
    describe: ([id]) => `job ${id}`,
    rows: (job) => [jobRow(job)],
  },
  {
    name: 'job_output',
    columns: [
      ['job_id', 'uuid'],
      ['ordinal', 'int'],
      ['key', 'bytea'],
      ['output', 'json'],
    ],
    keyWidth: 2,
    describe: ([id, ordinal]) => `output ${ordinal} of job ${id}`,
    rows: ({ jobId, state }) =>
      state.facts.outputs.map((output, ordinal) => {
        const key = Buffer.from(output.key).toString('hex');
        return [jobId, String(ordinal), `\\x${key}`, JSON.stringify(output)];
      }),
  },
  {
    name: 'job_label',
    columns: [
      ['job_id', 'uuid'],
      ['label', 'text'],
      ['account_id', 'uuid'],
      ['deployment_id', 'uuid'],
      ['created_at', 'timestamptz'],
      ['final_status', 'text'],
    ],
    keyWidth: 2,
    describe: ([id, label]) => `label ${label} of job ${id}`,
    rows: ({ jobId, accountId, deploymentId, view }) =>
      Object.entries(view.metadata).map(([key, value]) => {
        return [jobId, `${key}=${value}`, accountId, deploymentId, view.createdAt, finalStatusOf(view)];
      }),
  },
];

export function rowsOfJob(job: FoldedJob): JobRows {
  return READ_MODEL_TABLES.map((table) => table.rows(job));
}

/** Select list of the columns of a table aliased `t`, as `readModelRow` reads them from COPY in binary form. */
export function columnList({ columns }: ReadModelTable): string {
  return columns.map(([column, type]) => (IS_TEXT.has(type) ? `t.${column}::text` : `t.${column}`)).join(', ');
}

/** Types whose binary form is not that of their text. */
const IS_TEXT: ReadonlySet<ColumnType> = new Set(['json', 'text[]']);

/** The columns of a stored row in the text form of `ReadModelTable.rows`. */
export function readModelRow({ columns }: ReadModelTable, stored: BinaryRow): ReadModelRow {
  return columns.map(([, type], at) => (stored.isNull(at) ? null : TEXT_OF[type](stored, at)));
}

const text = (stored: BinaryRow, at: number): string => stored.text(at);

const TEXT_OF: Readonly<Record<ColumnType, (stored: BinaryRow, at: number) => string>> = {
  uuid: (stored, at) => stored.uuid(at),
  text,
  int: (stored, at) => String(stored.int32(at)),
  timestamptz: (stored, at) => stored.instant(at),
  bytea: (stored, at) => `\\x${stored.bytes(at).toString('hex')}`,
  json: text,
  'text[]': text,
};

function jobRow({ jobId, accountId, deploymentId, state, view }: FoldedJob): ReadModelRow {
  const { submission } = state.facts;
  return [
    jobId,
    accountId,
    deploymentId,
    view.status,
    String(view.version),
    String(view.fence),
    view.createdAt,
    view.updatedAt,
    view.startedAt,
    view.completedAt,
    view.expiresAt,
    `\\x${submission.workflowHash.slice('blake3:'.length)}`,
    submission.idempotencyKey,
    JSON.stringify(submission.metadata),
    labelsText(Object.entries(submission.metadata)),
    view.progress === null ? null : JSON.stringify(view.progress),
    view.error === null ? null : JSON.stringify(view.error),
    finalStatusOf(view),
  ];
}

function finalStatusOf({ status, completedAt }: Pick<JobProjection, 'status' | 'completedAt'>): string | null {
  return completedAt === null ? null : status;
}

/** A text[] in PostgreSQL's output form. */
function labelsText(pairs: readonly (readonly [string, string])[]): string | null {
  if (pairs.length === 0) return null;
  const quoted = pairs.map(([key, value]) => {
    const text = Buffer.from(`${key}=${value}`).toString();
    const plain = /^[^ \t\n\r\v\f{}",\\]+$/.test(text);
    return plain ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${quoted.join(',')}}`;
}
