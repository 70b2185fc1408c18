import { currentCallContext, withCallContext } from '@heddle/platform-telemetry';
import type { SpanHandle, Tracer } from '@heddle/platform-telemetry';
import { CallRefusedError, ServiceAwayError } from './call-errors.js';

/** `refused`: invalid or forbidden call; `away`: no answer. */
type CallOutcome = 'answered' | 'refused' | 'away' | 'failed';

export interface MadeCall {
  readonly path: string;
  readonly outcome: CallOutcome;
  readonly ms: number;
}

/** Measures calls, and adds a span of each to the trace of the request that caused it. */
export class WatchedCalls {
  constructor(
    private readonly tracer: Tracer | null,
    private readonly observe: ((call: MadeCall) => void) | null,
  ) {}

  async watch<T>(path: string, call: () => Promise<T>): Promise<T> {
    if (this.tracer === null && this.observe === null) return await call();
    const started = performance.now();
    const span = this.#span(path);
    let outcome: CallOutcome = 'answered';
    try {
      const context = span === null ? null : currentCallContext();
      if (span === null || context === null) return await call();
      return await withCallContext({ ...context, traceparent: span.traceparent }, call);
    } catch (error) {
      outcome = error instanceof ServiceAwayError ? 'away' : error instanceof CallRefusedError ? 'refused' : 'failed';
      throw error;
    } finally {
      span?.end(outcome === 'answered' ? {} : { 'error.type': outcome });
      this.observe?.({ path, outcome, ms: performance.now() - started });
    }
  }

  /** Returns null outside of a trace: a call without a request, such as a heartbeat, starts none. */
  #span(path: string): SpanHandle | null {
    const parent = currentCallContext()?.traceparent ?? null;
    return parent === null ? null : (this.tracer?.startSpan(path, parent, { kind: 'client' }) ?? null);
  }
}
