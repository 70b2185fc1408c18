import type { Settings } from '../settings/settings.js';
import { BYTES_PORT_SETTINGS } from '../settings/call-settings.js';

/** Where the assets service takes bytes: unless it is set, at the usual port of the hosts that serve its calls. */
export function bytesUrls({ assetsUrls, assetsBytesUrls }: Pick<Settings, 'assetsUrls' | 'assetsBytesUrls'>): string[] {
  if (assetsBytesUrls.length > 0) return [...assetsBytesUrls];
  return assetsUrls.map((url) => {
    const { protocol, hostname } = new URL(url);
    return `${protocol}//${hostname}:${BYTES_PORT_SETTINGS.bytesPort.read(undefined)}`;
  });
}
