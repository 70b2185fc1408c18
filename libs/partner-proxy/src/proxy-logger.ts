import type { Logger } from '@heddle/platform-telemetry';

/** The log of the process. No line names a key, a URL of a client or a text of a vendor. */
export class ProxyLogger {
  constructor(private readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>) {}

  warn(message: string, facts: Readonly<Record<string, unknown>>): void {
    this.logger.warn(facts, message);
  }

  error(message: string, error: unknown): void {
    this.logger.error({ err: error }, message);
  }
}
