import { isConnectionLoss } from '@heddle/platform-database';
import type { Logger } from '@heddle/platform-telemetry';

/** Logs what no caller waits for: once, where it happens. */
export class JobsLogger {
  constructor(private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'> | null) {}

  error(what: string, error: unknown): void {
    // Every loop of the service meets the same outage: no defect, and no stack is needed.
    if (isConnectionLoss(error)) this.logger?.warn({ reason: String(error) }, `${what}: the database is away`);
    else this.logger?.error({ err: error }, what);
  }

  warn(what: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger?.warn(facts, what);
  }

  info(what: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger?.info(facts, what);
  }
}
