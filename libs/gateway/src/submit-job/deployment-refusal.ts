import { nameText, refuse } from '@heddle/contracts-messages';
import type { DirectoryEntry, Rejection } from '@heddle/contracts-messages';

/** Defaults of Retry-After, in seconds. */
interface RetryTimes {
  /** A start of a deployment that has not started before. */
  readonly coldStartS: number;
  readonly unavailableRetryS: number;
}

/** Why a deployment takes no submission now; null: it does (accounts, Submissions). */
export function deploymentRefusal(entry: DirectoryEntry, nowMs: number, times: RetryTimes): Rejection | null {
  const { status, reason } = entry;
  const label = nameText(entry);
  switch (status) {
    case 'ready':
      return null;
    case 'provisioning':
    case 'starting': {
      const passedS = (nowMs - Date.parse(entry.startedAt)) / 1000;
      const retryAfterSeconds = wholeSeconds((entry.coldStartS ?? times.coldStartS) - passedS);
      return refuse('deployment_not_ready', { case: 'starting', label }, { retryAfterSeconds });
    }
    case 'deleted':
      return refuse('not_found', { case: 'resource' });
    case 'unavailable':
    case 'draining':
    case 'stopped': {
      const retryAfterSeconds = wholeSeconds(times.unavailableRetryS);
      return refuse('deployment_unavailable', { case: 'status', label, status, reason }, { retryAfterSeconds });
    }
  }
}

function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
