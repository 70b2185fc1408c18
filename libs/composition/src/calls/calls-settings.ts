import { readFileSync } from 'node:fs';
import type { CallTls, TokenRules } from '@heddle/platform-service-calls';
import type { Logger } from '@heddle/platform-telemetry';
import { bracketed, loopbackOf, SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

/** The URL at which other processes call this one. */
export function callsAddress({ callsAddress: given, callsHost, callsPort, callsTlsCert }: Settings): string {
  return given ?? `${callsTlsCert === null ? 'http' : 'https'}://${bracketed(callsHost)}:${callsPort}`;
}

/** The same for a replica that publishes its address to others. @throws SettingRefused for a wildcard address */
export function peerAddress(settings: Settings): string {
  const address = callsAddress(settings);
  if (!URL.canParse(address) || loopbackOf(new URL(address).hostname) === null) return address;
  throw new SettingRefused(
    `other replicas cannot call ${address}: set HEDDLE_CALLS_ADDRESS to the URL of this replica, for example http://10.0.0.7:8290`,
  );
}

/** PEM texts of the files in the settings; null: plain connections. */
export function callsTls({ callsTlsCert, callsTlsKey, callsTlsCa, callsTlsName }: Settings): CallTls | null {
  if (callsTlsCert === null && callsTlsCa === null) return null;
  if ((callsTlsCert === null) !== (callsTlsKey === null)) {
    throw new SettingRefused('HEDDLE_CALLS_TLS_CERT and HEDDLE_CALLS_TLS_KEY come together: set both, or neither');
  }
  return {
    ...(callsTlsCert === null ? {} : { cert: pem('CALLS_TLS_CERT', callsTlsCert) }),
    ...(callsTlsKey === null ? {} : { key: pem('CALLS_TLS_KEY', callsTlsKey) }),
    ...(callsTlsCa === null ? {} : { ca: pem('CALLS_TLS_CA', callsTlsCa) }),
    ...(callsTlsName === null ? {} : { name: callsTlsName }),
  };
}

function pem(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingRefused(`HEDDLE_${name}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  // Node takes an empty text for no certificate: a file that is just being written would lead to connections without one.
  if (!text.includes('-----BEGIN ')) throw new SettingRefused(`HEDDLE_${name}: ${file} is not a PEM file`);
  return text;
}

/** Rules for tokens of this service's callers. */
export function tokenRules({
  name,
  settings,
  logger,
}: {
  readonly name: string;
  readonly settings: Settings;
  readonly logger: Logger;
}): TokenRules {
  return {
    publicKeys: servicePublicKeys(settings),
    audience: name,
    requireAudience: settings.serviceTokenAudience === 'required',
    withoutAudience: (caller) =>
      logger.warn(
        { caller },
        `the service token of ${caller} names no audience: renew it with heddle service-token; HEDDLE_SERVICE_TOKEN_AUDIENCE=required refuses such tokens`,
      ),
  };
}

function servicePublicKeys({ servicePublicKey }: Settings): readonly string[] {
  if (servicePublicKey === null) {
    throw new SettingRefused(
      'HEDDLE_SERVICE_PUBLIC_KEY is unset: this service cannot verify its callers (heddle service-token --new-key creates a key pair)',
    );
  }
  const pems = servicePublicKey.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g);
  if (pems === null)
    throw new SettingRefused('HEDDLE_SERVICE_PUBLIC_KEY is not a PEM text: heddle service-token --new-key prints one');
  return pems;
}
