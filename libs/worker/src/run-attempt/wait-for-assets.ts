import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** Errors of service calls and of the blob store during an outage. */
const OUTAGES: ReadonlySet<string> = new Set(['ServiceAwayError', 'BlobStoreUnavailableError', 'DependencyAwayError']);

interface Patience {
  /** Maximum time to wait during an outage. */
  readonly outageMs: number;
  /** For failures in this process, such as a database outage; a retry does not help with others. */
  readonly isOutage: (error: unknown) => boolean;
  /** Called once per wait, with the failure that started it. */
  readonly onWait?: (error: unknown) => void;
}

/**
 * Retries work that failed because the assets service or its dependencies are unreachable, while the attempt may
 * continue: an outage costs time within the lease, not an attempt. A run that was stopped meanwhile gets the last
 * failure.
 */
export async function waitForAssets<T>(
  work: () => Promise<T>,
  { outageMs, isOutage, onWait }: Patience,
  signal: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + outageMs;
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS);
      const waits = isReportedOutage(error) || isOutage(error);
      if (signal.aborted || !waits || performance.now() + pauseMs > deadline) throw error;
      if (failures === 0) onWait?.(error);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** By name: another process may have thrown it, and its name is the transmitted code. */
function isReportedOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return OUTAGES.has(error.name) || OUTAGES.has(code) || OUTAGES.has(error.constructor.name);
}
