import { projectJob } from '@heddle/jobs-domain';
import type { ReplayedJob } from './replay-jobs.js';

/**
 * A job of the read model, with every column as text: what a rebuild writes and what a dump compares, byte for byte. Only
 * job_progress is left out: it is volatile by declaration.
 */
export type ReadModelRow = readonly (string | null)[];

export const JOB_COLUMNS = [
  'id',
  'account_id',
  'deployment_id',
  'status',
  'version',
  'fence',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
  'expires_at',
  'workflow_hash',
  'idempotency_key',
  'metadata',
  'labels',
  'progress',
  'error',
] as const;

const instants: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'started_at', 'completed_at', 'expires_at']);

/** Select list that gives the columns of a job aliased `j` as the same texts. */
export const JOB_TEXTS = JOB_COLUMNS.map((column) => {
  if (instants.has(column)) return `to_char(j.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  if (column === 'workflow_hash') return `'\\x' || encode(j.workflow_hash, 'hex')`;
  return `j.${column}::text`;
})
  .map((expression, index) => `${expression} as c${index}`)
  .join(', ');

export function jobRow({ jobId, accountId, deploymentId, state }: ReplayedJob): ReadModelRow {
  const view = projectJob(state)!;
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
  ];
}

/** One line per output: job, ordinal, key as hexadecimal, JSON. */
export function outputRows({ jobId, state }: ReplayedJob): readonly ReadModelRow[] {
  return state.facts.outputs.map((output, ordinal) => {
    const key = Buffer.from(output.key).toString('hex');
    return [jobId, String(ordinal), `\\x${key}`, JSON.stringify(output)];
  });
}

/** A text[] as PostgreSQL writes it. */
function labelsText(pairs: readonly (readonly [string, string])[]): string | null {
  if (pairs.length === 0) return null;
  const quoted = pairs.map(([key, value]) => {
    const text = Buffer.from(`${key}=${value}`).toString();
    const plain = /^[^ \t\n\r\v\f{}",\\]+$/.test(text);
    return plain ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${quoted.join(',')}}`;
}
