import type { VendorName } from '@heddle/partner-proxy-domain';
import type { Logger } from '@heddle/platform-telemetry';

const KEY_SETTINGS: Readonly<Record<VendorName, string>> = {
  video: 'HEDDLE_VIDEOVENDOR_KEY',
  image: 'HEDDLE_IMAGEVENDOR_KEY',
};
/** While a vendor refuses us, every call of a client meets it. */
const REFUSED_EVERY_MS = 60_000;

/**
 * The log of the process, in a class of its own because it counts the refusals of a vendor. No line names a key, a URL of a
 * client or a text of a vendor.
 */
export class ProxyLogger {
  readonly #refusedAt = new Map<VendorName, number>();

  constructor(private readonly logger: Pick<Logger, 'warn' | 'error'>) {}

  clockJumped(offMs: number): void {
    const message = 'the clock of the database jumped: no task ends by it until it is right, or has stayed where it is';
    this.logger.warn({ offMs }, message);
  }

  error(message: string, error: unknown): void {
    this.logger.error({ err: error }, message);
  }

  /** No request succeeds at this vendor until the operator acts; at most one line a minute. */
  accountRefused(vendor: VendorName, status: number): void {
    const now = performance.now();
    if (now - (this.#refusedAt.get(vendor) ?? Number.NEGATIVE_INFINITY) < REFUSED_EVERY_MS) return;
    this.#refusedAt.set(vendor, now);
    const what =
      status === 401 || status === 403
        ? `our key with ${status}: check ${KEY_SETTINGS[vendor]}`
        : `our account with ${status}: check its credits and limits there`;
    this.logger.error({ vendor, status }, `the ${vendor} vendor refuses ${what}`);
  }
}
