import { createRequire } from 'node:module';

/** What this file relies on of the client's request queue, in the pinned version. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests?(): void;
}

const LEAST_WAIT_MS = 10;

/**
 * Keeps idle connections of the client quiet. After its first answer each one looks every millisecond, with a negative timeout, for
 * requests that a broker's throttling holds back: 4 % of a core in a process that does nothing. Here it looks only while there are such.
 */
export function calmRequestTimers(): void {
  const queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype?: RequestQueue };
  if (queue.prototype?.scheduleCheckPendingRequests === undefined) return;
  queue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const wait = Math.max(LEAST_WAIT_MS, this.throttledUntil - Date.now());
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, wait);
  };
}
