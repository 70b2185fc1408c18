import type { Counter } from 'prom-client';
import type { Logger } from './logger.js';

/** Counts spans that the collector never received, and logs the start and the end of an outage, not each batch. */
export class LostSpans {
  #lost = 0;

  constructor(
    private readonly counter: Counter<'reason'>,
    private readonly logger: Pick<Logger, 'warn' | 'info'>,
  ) {}

  lost(spans: number, reason: 'export_failed' | 'queue_full' | 'stopped', cause: string): void {
    this.counter.inc({ reason }, spans);
    if (this.#lost === 0) {
      this.logger.warn({ reason, cause }, 'spans are lost: the trace collector does not accept them');
    }
    this.#lost += spans;
  }

  sent(): void {
    if (this.#lost > 0) this.logger.info({ lost_spans: this.#lost }, 'the trace collector accepts spans again');
    this.#lost = 0;
  }
}
