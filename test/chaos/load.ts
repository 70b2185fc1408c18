import { randomUUID } from 'node:crypto';
import {
  blake3Of,
  codeOf,
  describeAnswer,
  isTerminal,
  jsonOf,
  multipart,
  send,
  textGraph,
  uploadParts,
} from '@heddle/testing-api';
import type { Answer, Asset, Job, Sent } from '@heddle/testing-api';
import type { Random } from '@heddle/testing-seed';
import type { History, Outcome } from './history.ts';

export interface Load {
  readonly origin: string;
  /** Where the surface asks for a key */
  readonly token?: string;
  readonly history: History;
  readonly random: Random;
  /** At least 16 in tests of a crash */
  readonly clients: number;
  /** Operations of all clients together */
  readonly operations: number;
  /** Ends the load early, for example with the process */
  readonly until?: Promise<unknown>;
  /** Shares of operations; the rest are submissions. */
  readonly uploads?: number;
  readonly cancels?: number;
  readonly deletions?: number;
  /** Called with every accepted submission */
  readonly onAccepted?: (count: number) => void;
  readonly workflow?: (random: Random) => unknown;
}

/** Clients submit, upload, cancel and delete without pauses, each with its own keys, until the number of operations. */
export async function fire(load: Load): Promise<void> {
  const state = { left: load.operations, over: false, accepted: 0 };
  void load.until?.then(() => (state.over = true));
  const client = async (): Promise<void> => {
    while (state.left > 0 && !state.over) {
      state.left -= 1;
      // The server is gone, so the client stops.
      if ((await act(load, state)) === 'gone') return;
    }
  };
  await Promise.all(Array.from({ length: load.clients }, client));
}

type Acted = 'answered' | 'gone';

async function act(load: Load, state: { accepted: number }): Promise<Acted> {
  const { uploads = 0, cancels = 0, deletions = 0, history, random } = load;
  const dice = random.next();
  if (dice < uploads) return upload(load);
  if (dice < uploads + cancels) {
    const jobId = random.pick(history.acknowledgedJobs);
    if (jobId !== undefined) return cancel(load, jobId);
  } else if (dice < uploads + cancels + deletions) {
    const kept = history.uploads.filter((entry) => entry.outcome === 'ok' && !entry.deleted);
    const entry = random.pick(kept);
    if (entry === undefined) return upload(load);
    entry.deleted = true;
    return (await ask(load, { method: 'DELETE', target: `/api/v2/assets/${entry.assetId}` })) === null
      ? 'gone'
      : 'answered';
  }
  return submit(load, state);
}

async function submit(load: Load, state: { accepted: number }): Promise<Acted> {
  const workflow = JSON.stringify(load.workflow?.(load.random) ?? textGraph(`text ${load.random.next()}`));
  const key = randomUUID();
  const answer = await ask(load, submissionOf(workflow, key));
  const outcome = outcomeOf(answer, load.history, [201]);
  const job = outcome === 'ok' && answer !== null ? jsonOf<Job>(answer) : null;
  load.history.submission({
    key,
    workflow,
    outcome,
    jobId: job?.id ?? null,
    code: answer === null ? null : codeOf(answer),
  });
  if (job !== null) load.onAccepted?.(++state.accepted);
  return answer === null ? 'gone' : 'answered';
}

async function upload(load: Load): Promise<Acted> {
  // Every fourth upload is large enough to arrive in several pieces.
  const repeats = load.random.below(4) === 0 ? 12_000 : 1 + load.random.below(400);
  const bytes = Buffer.from(`bytes ${randomUUID()} `.repeat(repeats));
  const entry = { key: randomUUID(), bytes, hash: blake3Of(bytes), filePath: `${randomUUID()}.bin` };
  const answer = await ask(load, uploadOf(entry));
  const outcome = outcomeOf(answer, load.history, [200, 201]);
  const assetId = outcome === 'ok' && answer !== null ? jsonOf<Asset>(answer).id : null;
  load.history.upload({ ...entry, outcome, assetId, deleted: false });
  return answer === null ? 'gone' : 'answered';
}

async function cancel(load: Load, jobId: string): Promise<Acted> {
  const answer = await ask(load, { method: 'POST', target: `/api/v2/jobs/${jobId}/cancel` });
  const outcome = outcomeOf(answer, load.history, [200]);
  const status = outcome === 'ok' && answer !== null ? jsonOf<Job>(answer).status : null;
  load.history.cancel({ jobId, outcome, status });
  if (status !== null && isTerminal(status)) load.history.sawEnd(jobId, status);
  return answer === null ? 'gone' : 'answered';
}

export function submissionOf(workflow: string, key: string): Sent {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return { method: 'POST', target: '/api/v2/jobs', headers, body: `{"workflow":${workflow}}` };
}

export function uploadOf(entry: { readonly key: string; readonly bytes: Buffer; readonly filePath: string }): Sent {
  const form = { bytes: entry.bytes, content_type: 'application/octet-stream', file_path: entry.filePath };
  const body = multipart(uploadParts(form));
  const headers = { 'content-type': body.contentType, 'idempotency-key': entry.key };
  return { method: 'POST', target: '/api/v2/assets', headers, body: body.bytes };
}

/** Null if the connection ended without an answer. */
async function ask(load: Load, sent: Sent): Promise<Answer | null> {
  return send(load.origin, authorized(sent, load.token)).catch(() => null);
}

export function authorized(sent: Sent, token: string | undefined): Sent {
  if (token === undefined) return sent;
  return { ...sent, headers: { ...sent.headers, authorization: `Bearer ${token}` } };
}

/** A 4xx is a definite refusal, a 5xx is unknown; anything else is an offence. */
function outcomeOf(answer: Answer | null, history: History, wanted: readonly number[]): Outcome {
  if (answer === null) return 'unknown';
  if (wanted.includes(answer.status)) return 'ok';
  if (answer.status === 500 && codeOf(answer) === 'upstream_error') return 'unknown';
  if (answer.status >= 400 && answer.status < 500 && codeOf(answer) !== null) return 'refused';
  history.offences.push(`${describeAnswer(answer)} ${codeOf(answer) ?? 'without an envelope'}`);
  return 'unknown';
}
