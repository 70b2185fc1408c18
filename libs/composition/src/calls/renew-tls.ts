import { statSync } from 'node:fs';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { RenewableTls } from '@heddle/platform-service-calls';
import type { CallTls } from '@heddle/platform-service-calls';
import { SettingRefused } from '@heddle/platform-settings';
import type { Logger } from '@heddle/platform-telemetry';
import type { Settings } from '../settings/settings.js';
import { callsTls } from './calls-settings.js';

/** Interval of checks for renewed certificates */
const FILE_CHECK_INTERVAL_MS = 10_000;

/** The process whose certificates they are. */
interface Renewing {
  readonly settings: Settings;
  readonly logger: Logger;
  onStop(part: string, step: () => unknown): void;
}

const renewed = new WeakMap<Renewing, RenewableTls | null>();

/**
 * The certificates of a process for calls in both directions, one object for all of its ports and channels; null: plain
 * connections. They are read again when a file has changed.
 */
export function renewedCallsTls(service: Renewing, lookMs = FILE_CHECK_INTERVAL_MS): RenewableTls | null {
  let tls = renewed.get(service);
  if (tls === undefined) {
    const first = callsTls(service.settings);
    tls = first === null ? null : usable(first);
    if (tls !== null) watchFiles(service, tls, lookMs);
    renewed.set(service, tls);
  }
  return tls;
}

/** PEM of the certificate that new connections of the process get; null: it has none, or makes and takes no calls yet. */
export function certificateInUse(service: Renewing): string | null {
  return renewed.get(service)?.current.cert ?? null;
}

function usable(tls: CallTls): RenewableTls {
  try {
    return new RenewableTls(tls);
  } catch (error) {
    const why = errorMessage(error);
    throw new SettingRefused(
      `the certificate in HEDDLE_CALLS_TLS_CERT, HEDDLE_CALLS_TLS_KEY or HEDDLE_CALLS_TLS_CA cannot be used: ${why}`,
    );
  }
}

function watchFiles(service: Renewing, tls: RenewableTls, lookMs: number): void {
  const { settings, logger } = service;
  const files = [settings.callsTlsCert, settings.callsTlsKey, settings.callsTlsCa].filter((file) => file !== null);
  const versionOf = (): string => files.map((file) => statSync(file).mtimeMs).join();
  let known = versionOf();
  const look = (): void => {
    try {
      const version = versionOf();
      if (version === known) return;
      tls.renew(callsTls(settings)!);
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
