import type { RegistryErrorCode } from './registry-errors.js';
import type { RegistryRoute } from './registry-route.js';
import { MANAGING_ROUTES } from './routes/managing-routes.js';
import { PROXY_ROUTES } from './routes/proxy-routes.js';
import { READING_ROUTES } from './routes/reading-routes.js';

const EVERYWHERE: readonly RegistryErrorCode[] = [
  'invalid_request',
  'forbidden',
  'forbidden_origin',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'upstream_error',
];
/** A bearer that is wrong is refused wherever one is read. */
const CREDENTIAL: readonly RegistryErrorCode[] = ['unauthorized', 'invalid_token'];

export function registryCodesOf({ who, errors, query, request }: RegistryRoute): readonly RegistryErrorCode[] {
  return [
    ...new Set([
      ...EVERYWHERE,
      ...(who === 'signed' ? [] : CREDENTIAL),
      ...(query === undefined ? [] : (['invalid_parameter'] as const)),
      ...(request === undefined ? [] : (['payload_too_large'] as const)),
      ...errors,
    ]),
  ];
}

/** Whether caches in front may keep the answer for a minute (registry decisions, Cache). */
export function isCacheable({ method, who, isUncached }: RegistryRoute): boolean {
  return method === 'GET' && who === 'anyone' && isUncached !== true;
}

/** Every route of the registry. Those of the partner proxy are served by a context of their own. */
export const REGISTRY_ROUTES: readonly RegistryRoute[] = [...READING_ROUTES, ...MANAGING_ROUTES, ...PROXY_ROUTES];
