import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { PROCESS_METRICS } from '../metrics.js';
import type { Settings } from '../settings/settings.js';
import { tokenExpiries } from './service-token.js';

/**
 * Reports how long the tokens of the process are still valid. They are read at each scrape, because tokens are renewed
 * in their file. The gauge is empty without a token that expires.
 */
export function observeServiceToken(
  metrics: MetricsRegistry,
  settings: Pick<Settings, 'serviceToken' | 'serviceTokenFile'>,
): void {
  metrics.gauge(PROCESS_METRICS.tokenLeft, () =>
    [...tokenExpiries(settings)].map(
      ([audience, expiresAt]) => [{ audience }, expiresAt - Date.now() / 1_000] as const,
    ),
  );
}
