import type { Logger } from '@heddle/platform-telemetry';

/** Troubles that no caller waits for: told once, where they are caught. */
export class JobsLog {
  constructor(private readonly logger: Pick<Logger, 'warn' | 'error'> | null) {}

  failed(what: string, error: unknown): void {
    this.logger?.error({ err: error }, what);
  }

  noticed(what: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger?.warn(facts, what);
  }
}
