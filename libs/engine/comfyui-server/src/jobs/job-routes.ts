import { json, type HttpAnswer } from '../http/answer.js';
import type { Call } from '../http/call.js';
import type { HttpRoute } from '../http/route-table.js';
import type { PromptState } from '../prompts/prompt-routes.js';
import { selectJobs } from './select-jobs.js';
import { endedJob, waitingJob, type PromptView } from './job-view.js';

type JobState = Pick<PromptState, 'queue' | 'history' | 'runs'>;

/** Maximum ids in one cancel request. */
const MAX_CANCELLED = 1000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The jobs routes, only in the newer engine (engine.md 1). */
export function jobRoutes(state: JobState): HttpRoute[] {
  return [
    { method: 'GET', path: '/api/jobs', handle: (call) => listJobs(call, state) },
    { method: 'GET', path: '/api/jobs/*', handle: (_, [id]) => showJob(id!, state) },
    { method: 'POST', path: '/api/jobs/*/cancel', handle: (_, [id]) => json({ cancelled: cancelJob(id!, state) }) },
    { method: 'POST', path: '/api/jobs/cancel', handle: (call) => cancelJobs(call, state) },
  ];
}

function allJobs({ queue, history, runs }: JobState): PromptView[] {
  const running = runs.current === null ? [] : [waitingJob(runs.current, 'in_progress')];
  return [
    ...queue.pending.map((prompt) => waitingJob(prompt, 'pending')),
    ...running,
    ...history.all().map((entry) => endedJob(entry)),
  ];
}

function listJobs(call: Call, state: JobState): HttpAnswer {
  const selection = selectJobs(allJobs(state), call.query);
  if ('error' in selection) return json({ error: selection.error }, 400);
  const { jobs, offset, limit, total } = selection;
  const has_more = offset + jobs.length < total;
  return json({ jobs: jobs.map(({ summary }) => summary), pagination: { offset, limit, total, has_more } });
}

function showJob(id: string, { queue, history, runs }: JobState): HttpAnswer {
  const ended = history.find(id);
  const waiting = queue.find(id);
  let job: PromptView | null = null;
  if (runs.current?.id === id) job = waitingJob(runs.current, 'in_progress');
  else if (waiting !== null) job = waitingJob(waiting, 'pending');
  else if (ended !== null) job = endedJob(ended);
  return job === null ? json({ error: 'Job not found' }, 404) : json({ ...job.summary, ...job.details });
}

function cancelJob(id: string, { runs }: JobState): boolean {
  return runs.interrupt(id) || runs.delete(id);
}

async function cancelJobs(call: Call, state: JobState): Promise<HttpAnswer> {
  const ids = (await call.jsonBody())['job_ids'];
  if (!Array.isArray(ids)) return json({ error: 'job_ids must be a list' }, 400);
  const invalid = ids.filter((id) => typeof id !== 'string' || !UUID.test(id)).map(String);
  if (invalid.length > 0) return json({ error: 'job_ids contains invalid id(s)', invalid_ids: invalid }, 400);
  if (ids.length > MAX_CANCELLED) return json({ error: `job_ids holds more than ${MAX_CANCELLED} ids` }, 400);
  const cancelled = (ids as string[]).map((id) => cancelJob(id, state));
  return json({ cancelled: cancelled.includes(true) });
}
