import { SettingRefused } from '@heddle/platform-settings';
import { isLoopback } from '../settings/settings.js';
import type { Settings } from '../settings/settings.js';

type PlainCalls = Pick<Settings, 'callsPlain'>;

/** Calls carry tokens and partner credentials: beyond loopback they are encrypted, or somebody has said that a mesh does it. */
export function refusePlainListener(
  settings: PlainCalls & Pick<Settings, 'callsHost' | 'callsTlsCert' | 'callsAddress'>,
): void {
  const { callsHost, callsTlsCert, callsAddress } = settings;
  if (!isLoopback(callsHost) && callsTlsCert === null) refuse(settings, `HEDDLE_CALLS_HOST ${callsHost}`);
  if (callsAddress !== null) refusePlainTargets(settings, 'HEDDLE_CALLS_ADDRESS', [callsAddress]);
}

/** `setting` is the name of the one that lists the URLs. */
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
      'set HEDDLE_CALLS_TLS_CERT and HEDDLE_CALLS_TLS_KEY (HEDDLE_CALLS_TLS_CA where they are signed by an authority of your own) ' +
      'and use https addresses, or HEDDLE_CALLS_PLAIN=true where a mesh encrypts',
  );
}
