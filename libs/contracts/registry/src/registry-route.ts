import type { RegistryErrorCode } from './registry-errors.js';

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
  /** True: errors are `{message, details}`. */
  readonly hasDetails?: true;
  /** True: it takes an `Idempotency-Key`. */
  readonly hasKey?: true;
  /** True: no cache may keep the answer, although anyone may read it. */
  readonly isUncached?: true;
}
