import { statSync } from 'node:fs';
import type { CallTls } from '@heddle/platform-service-calls';
import type { ServiceProcess } from '../process/service-process.js';
import { callsTls } from './calls-settings.js';

/** How often the files of the certificate are looked at. */
const LOOK_MS = 10_000;

/** Gives new connections the certificate that replaced the one in use, such as one that is renewed every few weeks. */
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
      // Half of a pair, while it is being replaced: the next look finds the rest, and what is in use stays until then.
      logger.warn({ err: error }, 'the renewed certificate of the calls cannot be used');
    }
  };
  const timer = setInterval(look, lookMs).unref();
  service.onStop(() => clearInterval(timer));
}
