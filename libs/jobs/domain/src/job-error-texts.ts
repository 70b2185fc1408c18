import type { LeaseLossReason } from './job.events.js';

// Clients read these sentences as `error.message` of a failed job. An event keeps the text that it was stored with.

export const CREDENTIALS_LOST =
  'The partner credentials of this job were lost when the service restarted. Submit the job again.';

export function tooManyOutputs(maxOutputs: number): string {
  return `The job has more than ${maxOutputs} outputs. Submit a workflow that saves fewer.`;
}

export function ranTooLong(maxRuntimeMs: number): string {
  return `The job ran longer than ${maxRuntimeMs / 1_000} s, its maximum runtime.`;
}

/** `detail`: what the worker reported; null: nothing more is known. */
export function lastAttemptLost(
  { attempt, maxAttempts }: { readonly attempt: number; readonly maxAttempts: number },
  reason: LeaseLossReason,
  detail: string | null,
): string {
  return `Attempt ${attempt} of ${maxAttempts} was lost: ${ended(detail ?? LOSSES[reason])}`;
}

/** Of a worker that confirmed a cancel which nobody had requested. */
export const GAVE_UP_UNASKED = 'the worker canceled the job without a request';

const LOSSES: Readonly<Record<LeaseLossReason, string>> = {
  expired: 'the worker did not renew its lease',
  engine_lost: 'the engine was lost',
  handed_back: 'the worker stopped before the job ended',
};

/** The reports of workers and engines may be sentences already. */
function ended(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
