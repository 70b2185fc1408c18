import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { PROCESS_METRICS } from '../metrics.js';
import type { Settings } from '../settings/settings.js';

/**
 * Reports how long the certificate of the calls is still valid. It is read at each scrape, because a certificate is
 * renewed in its file. The gauge is empty without a readable certificate.
 */
export function observeCertificate(
  metrics: MetricsRegistry,
  { callsTlsCert: file }: Pick<Settings, 'callsTlsCert'>,
): void {
  metrics.gauge(PROCESS_METRICS.certificateLeft, async () => {
    const expiry = file === null ? null : await expiryOf(file);
    return expiry === null ? [] : [[{ of: 'calls' }, (expiry - Date.now()) / 1_000]];
  });
}

/** Unix milliseconds. */
async function expiryOf(file: string): Promise<number | null> {
  try {
    return new X509Certificate(await readFile(file)).validToDate.getTime();
  } catch {
    return null;
  }
}
