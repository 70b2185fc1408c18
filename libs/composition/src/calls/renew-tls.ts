import { statSync } from 'node:fs';
import type { CallTls } from '@heddle/platform-service-calls';
import type { ServiceProcess } from '../process/service-process.js';
import { callsTls } from './calls-settings.js';

/** Interval of checks for a renewed certificate */
const LOOK_MS = 10_000;

/** Applies a renewed certificate to new connections. */
export function renewCallsTls(
  service: Pick<ServiceProcess, 'settings' | 'logger' | 'onStop'>,
  served: { renewTls(tls: CallTls): void },
  lookMs = LOOK_MS,
): void {
  const { settings, logger } = service;
  const files = [settings.callsTlsCert, settings.callsTlsKey, settings.callsTlsCa].filter((file) => file !== null);
  if (files.length === 0) return;
  const versionOf = (): string => files.map((file) => statSync(file).mtimeMs).join();
  let known = versionOf();
  const look = (): void => {
    try {
      const version = versionOf();
      if (version === known) return;
      served.renewTls(callsTls(settings)!);
      known = version;
      logger.info('new connections get the renewed certificate of the calls');
    } catch (error) {
      // Key and certificate may not match while both are being replaced: the next check reads them again.
      logger.warn({ err: error }, 'the renewed certificate of the calls cannot be used');
    }
  };
  const timer = setInterval(look, lookMs).unref();
  service.onStop('renewal of the certificate', () => clearInterval(timer));
}
