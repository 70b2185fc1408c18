import { setTimeout as delay } from 'node:timers/promises';
import type { CapturedLog, LogsPort } from '@heddle/contracts-messages';
import type { WorkerSettings } from '../settings.js';

export class CaptureTooSlowError extends Error {
  override readonly name = 'CaptureTooSlowError';

  constructor(waitedMs: number) {
    super(`the logs service did not store the execution log within ${waitedMs} ms`);
  }
}

/**
 * Stores execution logs before their attempts are reported as ended. A log may delay a job briefly and never fail it:
 * if the logs service is unreachable or slow, the log is lost, and for a while further logs are lost without a wait.
 */
export class LogCaptor {
  readonly #logs: Pick<LogsPort, 'capture'> | null;
  readonly #settings: WorkerSettings;
  /** Until then logs are not sent; null while the service answers. */
  #skipUntil: number | null = null;

  /** Null: this process has no logs service. */
  constructor(logs: Pick<LogsPort, 'capture'> | null, settings: WorkerSettings) {
    this.#logs = logs;
    this.#settings = settings;
  }

  /** Resolves when the log is stored or lost. Never rejects. */
  async capture(log: CapturedLog): Promise<void> {
    const { logCaptureMs, logPauseMs, onLogLost } = this.#settings;
    const now = performance.now();
    if (this.#logs === null || (this.#skipUntil !== null && now < this.#skipUntil)) return onLogLost?.(null);
    // After a pause one log finds out whether the service is back.
    if (this.#skipUntil !== null) this.#skipUntil = now + logCaptureMs;
    try {
      await withinTime(this.#logs.capture(log), logCaptureMs);
      this.#skipUntil = null;
    } catch (error) {
      const isAway = error instanceof CaptureTooSlowError || this.#settings.isOutage(error);
      this.#skipUntil = isAway ? performance.now() + logPauseMs : null;
      onLogLost?.(error);
    }
  }
}

async function withinTime(storing: Promise<unknown>, limitMs: number): Promise<void> {
  const over = new AbortController();
  const late = delay(limitMs, undefined, { signal: over.signal }).then(
    () => Promise.reject(new CaptureTooSlowError(limitMs)),
    () => undefined,
  );
  // Whichever is later is of no interest.
  storing.catch(() => undefined);
  late.catch(() => undefined);
  try {
    await Promise.race([storing, late]);
  } finally {
    over.abort();
  }
}
