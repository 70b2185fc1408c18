import type { Logger } from '@heddle/platform-telemetry';

/** The log of the process. */
export class RegistryLogger {
  constructor(private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>) {}

  warn(message: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger.warn(facts, message);
  }

  error(message: string, error: unknown): void {
    this.logger.error({ err: error }, message);
  }
}
