import type { Logger } from '@heddle/platform-telemetry';

/** What no caller waits for: logged once, where it happens. */
export class JobsLog {
  constructor(private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'> | null) {}

  failed(what: string, error: unknown): void {
    this.logger?.error({ err: error }, what);
  }

  noticed(what: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger?.warn(facts, what);
  }

  told(what: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger?.info(facts, what);
  }
}
