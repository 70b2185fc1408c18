import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../api/api-error.js';
import type { ApiClient } from '../api/api-client.js';
import { isRecord, readJob } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { CliFailure, EXIT, failed } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { durationText } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';

interface Submission {
  readonly workflow: Uint8Array;
  readonly idempotencyKey: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** How long to wait for a full queue, or for a service that went away during a submission. */
export const SUBMIT_PATIENCE_MS = 60_000;

/**
 * Submits under a key, so that the job exists once whatever happens: a full queue is retried with the same key, and
 * after a lost answer the job is looked up by it (api-v2, Idempotency rules 3 and 4).
 */
export async function submitJob(
  client: ApiClient,
  submission: Submission,
  { terminal, patienceMs }: { readonly terminal: Terminal; readonly patienceMs: number },
): Promise<WireJob> {
  const deadline = Date.now() + patienceMs;
  const reported = new Set<string>();
  let unknown = false;
  for (;;) {
    try {
      const found = unknown ? await jobOfKey(client, submission.idempotencyKey) : null;
      return found ?? (await post(client, submission));
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error;
      if (error instanceof ApiError && error.code === 'idempotency_key_reuse')
        throw await keyIsTaken(client, submission, error);
      const retry = retryOf(error, unknown);
      const waitMs = Math.min(retry?.waitMs ?? 0, deadline - Date.now());
      if (retry === null || waitMs <= 0) throw error;
      unknown ||= retry.mayBeAccepted;
      if (!reported.has(retry.reason)) {
        const message =
          retry.reason === ANSWER_LOST
            ? 'the answer was lost; checking whether the job was accepted'
            : `${plainText(error.message).replace(/\.$/, '')}; trying again in ${durationText(waitMs)}`;
        terminal.printJson({ event: 'retry', reason: retry.reason, message: error.message, retry_in_ms: waitMs });
        terminal.sayWrapped(`heddle: ${message}`, '        ');
      }
      reported.add(retry.reason);
      await delay(waitMs);
    }
  }
}

const ANSWER_LOST = 'answer_lost';

interface Retry {
  /** The code of the refusal, or that there was no answer. Each is reported once. */
  readonly reason: string;
  readonly waitMs: number;
  readonly mayBeAccepted: boolean;
}

/** Null if another attempt makes no sense. */
function retryOf(error: CliFailure, unknown: boolean): Retry | null {
  if (error instanceof ApiError) {
    const { status, code, retryAfterSeconds } = error;
    if (status !== 429 && status < 500) return null;
    return { reason: code, waitMs: (retryAfterSeconds ?? 1) * 1000, mayBeAccepted: status >= 500 };
  }
  if (error.exitCode !== EXIT.unreachable) return null;
  // If nothing was sent, there is nothing to wait for: the service is not running.
  const neverSent = !unknown && /nothing listens|not known/.test(error.message);
  return neverSent ? null : { reason: ANSWER_LOST, waitMs: 500, mayBeAccepted: true };
}

async function post(client: ApiClient, { workflow, idempotencyKey, metadata }: Submission): Promise<WireJob> {
  const labels = Object.keys(metadata).length > 0 ? `,"metadata":${JSON.stringify(metadata)}` : '';
  const body = Buffer.concat([Buffer.from('{"workflow":'), workflow, Buffer.from(`${labels}}`)]);
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  const job = readJob((await client.json('POST', '/api/v2/jobs', { headers, body })).body);
  if (job === null) throw failed('the service answered without a job; check --url');
  return job;
}

async function jobOfKey(client: ApiClient, key: string): Promise<WireJob | null> {
  const { body } = await client.json('GET', `/api/v2/jobs?limit=1&idempotency_key=${encodeURIComponent(key)}`);
  const jobs = isRecord(body) && Array.isArray(body['jobs']) ? (body['jobs'] as readonly unknown[]) : [];
  const id = readJob(jobs[0])?.id;
  if (id === undefined) return null;
  return readJob((await client.json('GET', `/api/v2/jobs/${encodeURIComponent(id)}`)).body);
}

async function keyIsTaken(client: ApiClient, { idempotencyKey }: Submission, error: ApiError): Promise<CliFailure> {
  const job = await jobOfKey(client, idempotencyKey).catch(() => null);
  if (job === null) return error;
  return new CliFailure(error.message, EXIT.failed, `the key belongs to job ${job.id}: heddle watch ${job.id}`, {
    ...error.error,
    job_id: job.id,
  });
}
