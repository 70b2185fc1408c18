import { empty, json, jsonOf, serverError, type HttpAnswer } from '../http/answer.js';
import type { Call } from '../http/call.js';
import type { HttpRoute } from '../http/route-table.js';
import type { RunQueue } from '../running/run-queue.js';
import { historyText, pageOf, type PromptHistory } from './prompt-history.js';
import type { PromptQueue } from './prompt-queue.js';
import { promptTuple } from './queued-prompt.js';
import type { PromptSubmission } from './submit-prompt.js';

/** State behind the queue and history routes. */
export interface PromptState {
  readonly submission: PromptSubmission;
  readonly queue: PromptQueue;
  readonly history: PromptHistory;
  readonly runs: RunQueue;
}

/** Submission, queue, history and interruption (engine.md 1). */
export function promptRoutes(state: PromptState): HttpRoute[] {
  const { submission, queue, history, runs } = state;
  return [
    { method: 'POST', path: '/prompt', handle: (call) => submission.answer(call) },
    { method: 'GET', path: '/prompt', handle: () => json({ exec_info: { queue_remaining: runs.remaining } }) },
    {
      method: 'GET',
      path: '/queue',
      handle: () =>
        json({
          queue_running: runs.current === null ? [] : [promptTuple(runs.current)],
          queue_pending: queue.pending.map(promptTuple),
        }),
    },
    { method: 'POST', path: '/queue', handle: (call) => changeQueue(call, runs) },
    { method: 'GET', path: '/history', handle: (call) => showHistory(call, history) },
    {
      method: 'GET',
      path: '/history/*',
      handle: (_, [id]) => {
        const entry = history.find(id!);
        return jsonOf(historyText(entry === null ? [] : [entry]));
      },
    },
    { method: 'POST', path: '/history', handle: (call) => changeHistory(call, history) },
    { method: 'POST', path: '/interrupt', handle: (call) => interrupt(call, runs) },
  ];
}

async function changeQueue(call: Call, runs: RunQueue): Promise<HttpAnswer> {
  const body = await call.jsonBody();
  if (body['clear']) runs.clear();
  for (const id of idsOf(body['delete'])) runs.delete(id);
  return empty(200);
}

async function changeHistory(call: Call, history: PromptHistory): Promise<HttpAnswer> {
  const body = await call.jsonBody();
  if (body['clear']) history.clear();
  for (const id of idsOf(body['delete'])) history.remove(id);
  return empty(200);
}

function showHistory(call: Call, history: PromptHistory): HttpAnswer {
  const maxItems = wholeNumber(call.query.get('max_items'));
  const offset = wholeNumber(call.query.get('offset'));
  if (Number.isNaN(maxItems) || Number.isNaN(offset)) return serverError();
  return jsonOf(historyText(pageOf(history.all(), maxItems, offset ?? -1)));
}

/** Without a body, or if the body is not a JSON object, the running prompt is interrupted. */
async function interrupt(call: Call, runs: RunQueue): Promise<HttpAnswer> {
  const text = (await call.body()).toString('utf8');
  let id: unknown = null;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'prompt_id' in body) id = body.prompt_id;
  } catch {
    // The engine treats it as a request without a prompt.
  }
  runs.interrupt(typeof id === 'string' && id !== '' ? id : null);
  return empty(200);
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];
}

/** Null if absent, NaN if not an integer. */
function wholeNumber(text: string | null): number | null {
  if (text === null) return null;
  return /^\s*[+-]?\d{1,15}\s*$/.test(text) ? Number(text) : NaN;
}
