import { SURFACES } from '@heddle/contracts-messages';
import { checkCredentialsForm, OriginGuard } from '@heddle/platform-http';
import type { HttpApplicationOptions } from '@heddle/platform-http';
import { isLoopback, SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';
import { answeredHosts } from '@heddle/gateway/settings';

/**
 * Without it, links and callbacks of vendors would begin with whatever host a client writes (registry decisions, Settings).
 *
 * @throws SettingRefused for an open address of keyed surfaces without HEDDLE_REGISTRY_PUBLIC_URL
 */
export function assertRegistryUrl({ registryPublicUrl: url, surface, host }: Settings): void {
  if (SURFACES[surface].credential === 'keys' && url === null && !isLoopback(host)) {
    throw new SettingRefused(
      'HEDDLE_REGISTRY_PUBLIC_URL is unset: set it to the address by which clients reach the registry, since HEDDLE_HOST is not a loopback address',
    );
  }
  if (url !== null && !URL.canParse(url)) {
    throw new SettingRefused(
      `HEDDLE_REGISTRY_PUBLIC_URL must be a URL such as https://registry.example.org, not ${url}`,
    );
  }
}

/**
 * What is checked before routing on a port of the registry's own: only its own hosts and those of the API are answered
 * (registry decisions, Settings), and a credential must be in its place.
 *
 * @throws SettingRefused as `assertRegistryUrl`
 */
export function registryGuard(settings: Settings): HttpApplicationOptions['guard'] {
  assertRegistryUrl(settings);
  const { registryPublicUrl: url, managedHosts, corsOrigins } = settings;
  const own = url === null ? [] : [new URL(url).hostname];
  const origins = new OriginGuard({ allowedHosts: [...answeredHosts(settings), ...managedHosts, ...own], corsOrigins });
  return ({ raw, headers }) => {
    const { host: asked, origin } = headers;
    return origins.check({ host: asked, origin, secFetchSite: headers['sec-fetch-site'] }) ?? checkCredentialsForm(raw);
  };
}
