import type { RegistryErrorCode } from './registry-errors.js';
import { MANAGING_ROUTES } from './routes/managing-routes.js';
import { READING_ROUTES } from './routes/reading-routes.js';

/** Who may call a route (registry decisions, Everywhere): `signed` URLs carry their own permission. */
export type RouteCaller = 'anyone' | 'account' | 'owner' | 'member' | 'token' | 'signed';

/** The answer of a route: a schema's name, an array of it, or the media types of something that is not JSON. */
export interface RegistryRouteSuccess {
  readonly status: number;
  readonly schema?: string;
  readonly isList?: true;
  readonly mediaTypes?: readonly string[];
  readonly description: string;
}

export interface RegistryRoute {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the registry's address. */
  readonly path: string;
  readonly summary: string;
  readonly who: RouteCaller;
  readonly successes: readonly RegistryRouteSuccess[];
  /** The route's own codes; `registryCodesOf` adds those of every route. */
  readonly errors: readonly RegistryErrorCode[];
  readonly request?: string;
  /** Names of query parameters. */
  readonly query?: readonly string[];
  /** True: no cache may keep the answer, although anyone may read it. */
  readonly isUncached?: true;
}

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

/** Every route of the registry, but for the partner proxy. */
export const REGISTRY_ROUTES: readonly RegistryRoute[] = [...READING_ROUTES, ...MANAGING_ROUTES];
