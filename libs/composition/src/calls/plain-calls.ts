import { isLoopback, SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

type PlainCalls = Pick<Settings, 'callsPlain'>;

/** Calls carry tokens and partner credentials: beyond loopback, TLS is required, unless a setting says that a mesh encrypts. */
export function refusePlainListener(
  settings: PlainCalls & Pick<Settings, 'callsHost' | 'callsTlsCert' | 'callsAddress'>,
): void {
  const { callsHost, callsTlsCert, callsAddress } = settings;
  if (!isLoopback(callsHost) && callsTlsCert === null) refuse(settings, `HEDDLE_CALLS_HOST ${callsHost}`);
  if (callsAddress !== null) refusePlainTargets(settings, 'HEDDLE_CALLS_ADDRESS', [callsAddress]);
}

/** `setting`: name of the setting that lists the URLs. */
export function refusePlainTargets(settings: PlainCalls, setting: string, urls: readonly string[]): void {
  const plain = urls.find((url) => {
    if (!URL.canParse(url))
      throw new SettingRefused(`${setting} must list URLs such as https://jobs:8290, not "${url}"`);
    const { protocol, hostname } = new URL(url);
    return protocol === 'http:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  });
  if (plain !== undefined) refuse(settings, `${setting} ${plain}`);
}

function refuse({ callsPlain }: PlainCalls, what: string): void {
  if (callsPlain) return;
  throw new SettingRefused(
    `${what} leaves this machine without encryption, with service tokens and partner credentials: ` +
      'set HEDDLE_CALLS_TLS_CERT and HEDDLE_CALLS_TLS_KEY (and HEDDLE_CALLS_TLS_CA if your own authority signs them) ' +
      'and use https addresses, or HEDDLE_CALLS_PLAIN=true if a mesh encrypts',
  );
}
