import { X509Certificate } from 'node:crypto';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { PROCESS_METRICS } from '../metrics.js';

/**
 * Reports how long the certificate that new connections of the calls get is still valid. The file may hold a newer one
 * that cannot be used, as while its key is missing. The gauge is empty without a certificate.
 */
export function observeCertificate(metrics: MetricsRegistry, inUse: () => string | null): void {
  metrics.gauge(PROCESS_METRICS.certificateLeft, () => {
    const pem = inUse();
    return pem === null ? [] : [[{ of: 'calls' }, (expiryOf(pem) - Date.now()) / 1_000]];
  });
}

/** Unix milliseconds. */
function expiryOf(pem: string): number {
  return new X509Certificate(pem).validToDate.getTime();
}
