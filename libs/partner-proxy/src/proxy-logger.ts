import type { Logger } from '@heddle/platform-telemetry';

/** The log of the process. No line names a key, a URL of a client or a text of a vendor. */
export class ProxyLogger {
  constructor(private readonly logger: Pick<Logger, 'error'>) {}

  error(message: string, error: unknown): void {
    this.logger.error({ err: error }, message);
  }
}
