import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_FIRST_MS = 100;
const PAUSE_MOST_MS = 2_000;
/** What calls between services and the blob store say when somebody is away; everything else is no better a second later. */
const OUTAGES: ReadonlySet<string> = new Set(['ServiceAwayError', 'BlobStoreUnavailableError']);

/**
 * Repeats what failed because the assets service or its store is away, for as long as the attempt may go on: an outage
 * costs time within the lease, not an attempt. A run that was stopped meanwhile gets the last failure.
 */
export async function waitForAssets<T>(work: () => Promise<T>, patienceMs: number, signal: AbortSignal): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(PAUSE_MOST_MS, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isOutage(error) || performance.now() + pauseMs > deadline) throw error;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** By name: the other process may have thrown it, and then its name is the code that came over. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return OUTAGES.has(error.name) || OUTAGES.has(code) || OUTAGES.has(error.constructor.name);
}
