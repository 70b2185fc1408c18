export interface TermsRow {
  readonly per_job: string | null;
  readonly per_second_micros: string | null;
  readonly max_runtime_ms: string | null;
  readonly retention_ms: string | null;
}

/** One row; null for what a deployment does not have of its own. */
export const termsSql = `
select p.per_job, p.per_second_micros, l.max_runtime_ms, l.retention_ms
from (select) one
left join jobs.price p on p.deployment_id = $1
left join jobs.deployment_limit l on l.deployment_id = $1`;
