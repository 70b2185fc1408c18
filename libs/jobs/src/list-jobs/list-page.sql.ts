import { JOB_STATUSES } from '@heddle/contracts-api-v2';
import { ENDED_STATUSES, isEndedStatus } from '@heddle/jobs-domain';
import type { JobListQuery, JobStatus, Principal } from '@heddle/contracts-messages';
import { SUMMARY_COLUMNS } from '../get-job/job-row.js';
import type { PageEnd } from './list-cursor.js';

const LIVE: readonly JobStatus[] = JOB_STATUSES.filter((status) => !isEndedStatus(status));
/** A page whose walk reaches this ends early, with a cursor to continue. */
const MAX_ENTRIES = 1_000;

/** Walks along indexes, merged newest first, and the remaining condition on each job. */
interface Walk {
  /** A select of `at` (creation time) and `id`, unordered. */
  readonly entries: string;
  /** Condition on the job `j`. */
  readonly job: string;
}

/**
 * The statement of a page: at most one job more than its limit, each with the job at which the walk of a page with
 * fewer jobs ended early, or null. An empty page is one row without a job. Each filter merges a few walks along indexes
 * that begin at the page's first job.
 */
export function listPageSql(
  principal: Principal,
  query: JobListQuery,
  end: PageEnd | null,
): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const [account, deployment] = [value(principal.accountId), value(principal.deploymentId)];
  const before =
    end === null ? null : `(to_timestamp(${value(end.createdAtMs)}::float8 / 1000), ${value(end.jobId)}::uuid)`;
  const limit = value(query.limit + 1);
  const { entries, job } = walkOf(query, { account, deployment, before }, value);
  const text = `
with page as materialized (
  select e.at, e.id from (${entries} order by at desc, id desc limit ${MAX_ENTRIES}) e
  -- The offset keeps this a look at each job: else the planner may first look for all jobs that the condition holds for.
  cross join lateral (select * from jobs.job where id = e.id offset 0) j
  where j.expires_at > heddle.clock_now() and ${job}
  order by e.at desc, e.id desc limit ${limit}
),
edge as materialized (
  select at, id from (${entries} order by at desc, id desc offset ${MAX_ENTRIES - 1} limit 1) e
  where (select count(*) from page) < ${limit}
)
select ${SUMMARY_COLUMNS}, (extract(epoch from edge.at) * 1000)::float8 as edge_at, edge.id as edge_id
from (select) one left join page on true left join jobs.job j on j.id = page.id left join edge on true
order by page.at desc, page.id desc`;
  return { text, values };
}

function walkOf(
  query: JobListQuery,
  {
    account,
    deployment,
    before,
  }: { readonly account: string; readonly deployment: string; readonly before: string | null },
  value: (given: unknown) => string,
): Walk {
  const owner = `account_id = ${account} and deployment_id = ${deployment}`;
  const labels = Object.entries(query.metadata).map(([key, label]) => `${key}=${label}`);
  const isWanted = (status: JobStatus): boolean => query.statuses.length === 0 || query.statuses.includes(status);
  const conditions = ['true'];
  if (labels.length > 0) conditions.push(`j.labels @> ${value(labels)}::text[]`);
  if (query.statuses.length > 0) conditions.push(`j.status = any(${value(query.statuses)}::text[])`);
  const job = conditions.join(' and ');
  const after = (columns: string): string => (before === null ? '' : ` and (${columns}) < ${before}`);
  const ofJobs = (condition: string): string =>
    `select created_at as at, id from jobs.job where ${owner} and ${condition}${after('created_at, id')}`;
  if (query.idempotencyKey !== null) {
    const ofKey = ofJobs(`idempotency_key = ${value(query.idempotencyKey)}`);
    // Few jobs have one key. The offset prevents an ordered search, which would walk every job of the account.
    return { entries: `select * from (${ofKey} offset 0) k`, job };
  }
  const [label] = labels;
  if (label === undefined && query.statuses.length === 0) return { entries: ofJobs('true'), job };
  // A lateral join with a limit: with a plain join the planner may walk every job of the account.
  const ofLeased = `select l.at, l.id from jobs.queue q cross join lateral (
      select created_at as at, id from jobs.job where id = q.job_id and ${owner}${after('created_at, id')} limit 1) l
      where q.state <> 'queued'`;
  const ofGroup =
    label === undefined
      ? ofJobs
      : (condition: string): string => `select created_at as at, job_id as id from jobs.job_label
      where ${owner} and label = ${named()} and ${condition}${after('created_at, job_id')}`;
  // PostgreSQL refuses a value that no text names, and the leased jobs alone are found without the label.
  let placeholder: string | null = null;
  const named = (): string => (placeholder ??= value(label));
  // In the indexes `final_status` is null until a job has ended.
  const walks = ENDED_STATUSES.filter(isWanted).map((status) => ofGroup(`final_status = ${value(status)}`));
  // Leased jobs are few, and come after all that wait.
  if (isWanted('queued')) walks.push(ofGroup('final_status is null'));
  else if (LIVE.some(isWanted)) walks.push(ofLeased);
  return { entries: walks.map(inOrder).join(' union all '), job };
}

/** Each walk for itself, so that no plan sorts what they have together. */
function inOrder(entries: string): string {
  return `select * from (select * from (${entries}) w order by at desc, id desc limit ${MAX_ENTRIES}) o`;
}
