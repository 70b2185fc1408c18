import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_FIRST_MS = 100;
const PAUSE_MOST_MS = 2_000;
/** What calls between services and the blob store say when somebody is away. */
const OUTAGES: ReadonlySet<string> = new Set(['ServiceAwayError', 'BlobStoreUnavailableError', 'DependencyAwayError']);

export interface Patience {
  /** For how long an outage is waited out. */
  readonly outageMs: number;
  /** Of failures in this process, such as a database that is away; everything else is no better a second later. */
  readonly isOutage: (error: unknown) => boolean;
  /** Told once of each wait, with the failure that began it. */
  readonly onWait?: (error: unknown) => void;
}

/**
 * Repeats what failed because the assets service or what it needs is away, for as long as the attempt may go on: an outage
 * costs time within the lease, not an attempt. A run that was stopped meanwhile gets the last failure.
 */
export async function waitForAssets<T>(
  work: () => Promise<T>,
  { outageMs, isOutage, onWait }: Patience,
  signal: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + outageMs;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(PAUSE_MOST_MS, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      const waits = isToldOutage(error) || isOutage(error);
      if (signal.aborted || !waits || performance.now() + pauseMs > deadline) throw error;
      if (pauseMs === PAUSE_FIRST_MS) onWait?.(error);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** By name: the other process may have thrown it, and then its name is the code that came over. */
function isToldOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return OUTAGES.has(error.name) || OUTAGES.has(code) || OUTAGES.has(error.constructor.name);
}
