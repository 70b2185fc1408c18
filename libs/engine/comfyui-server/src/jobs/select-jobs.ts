import { JOB_STATUSES, type PromptStatus, type PromptView } from './job-view.js';

interface JobSelection {
  readonly jobs: readonly PromptView[];
  readonly offset: number;
  readonly limit: number | null;
  /** Number of jobs that match the filters. */
  readonly total: number;
}

/** The jobs of a list request, newest first by default, or the error in the request. */
export function selectJobs(
  all: readonly PromptView[],
  query: URLSearchParams,
): JobSelection | { readonly error: string } {
  const statuses = statusesOf(query.get('status'));
  if (typeof statuses === 'string') return { error: statuses };
  const sortBy = query.get('sort_by') ?? 'created_at';
  if (!['created_at', 'execution_duration'].includes(sortBy)) {
    return { error: 'sort_by must be one of: created_at, execution_duration' };
  }
  const order = query.get('sort_order') ?? 'desc';
  if (!['asc', 'desc'].includes(order)) return { error: 'sort_order must be one of: asc, desc' };
  const limit = numberOf(query.get('limit'));
  if (Number.isNaN(limit)) return { error: 'limit must be an integer' };
  if (limit !== null && limit <= 0) return { error: 'limit must be a positive integer' };
  const offset = numberOf(query.get('offset')) ?? 0;
  if (Number.isNaN(offset)) return { error: 'offset must be an integer' };
  const workflowId = query.get('workflow_id');
  const found = all.filter(
    (job) =>
      (statuses === null || statuses.includes(job.status)) && (workflowId === null || job.workflowId === workflowId),
  );
  const key = (job: PromptView): number => (sortBy === 'created_at' ? job.createTime : job.duration);
  const sign = order === 'asc' ? 1 : -1;
  found.sort((a, b) => sign * (key(a) - key(b) || a.number - b.number));
  const start = Math.max(0, offset);
  const end = limit === null ? found.length : start + limit;
  return { jobs: found.slice(start, end), offset: start, limit, total: found.length };
}

function statusesOf(text: string | null): readonly PromptStatus[] | null | string {
  if (text === null || text === '') return null;
  const asked = text.split(',').map((status) => status.trim());
  const unknown = asked.filter((status) => !(JOB_STATUSES as readonly string[]).includes(status));
  if (unknown.length === 0) return asked as PromptStatus[];
  return `Invalid status value(s): ${unknown.join(', ')}. Valid values: ${JOB_STATUSES.join(', ')}`;
}

/** Null if absent, NaN if not an integer. */
function numberOf(text: string | null): number | null {
  if (text === null) return null;
  return /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : NaN;
}
