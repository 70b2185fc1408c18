import type { Logger } from '@heddle/platform-telemetry';

/** Logs what no caller waits for: once, where it happens. */
export class JobsLogger {
  constructor(private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'> | null) {}

  error(what: string, error: unknown): void {
    this.logger?.error({ err: error }, what);
  }

  warn(what: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger?.warn(facts, what);
  }

  info(what: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger?.info(facts, what);
  }
}
