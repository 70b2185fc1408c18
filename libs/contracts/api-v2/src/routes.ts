import type { ApiErrorCode } from './error-codes.js';

/** What a key may do (accounts, Scopes). */
export const SCOPES = ['assets:read', 'assets:write', 'jobs:read', 'jobs:write'] as const;
export type Scope = (typeof SCOPES)[number];

type Method = 'GET' | 'POST' | 'DELETE' | 'HEAD';

/** A route's successful answer: a schema's name, or the media type of something that is not JSON. */
interface RouteSuccess {
  readonly status: number;
  readonly schema?: string;
  readonly mediaType?: string;
  readonly description: string;
}

export interface Route {
  readonly operation: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  /** What it asks of an API key; null: any key will do. */
  readonly scope: Scope | null;
  readonly successes: readonly RouteSuccess[];
  /** The route's own codes; `errorCodesOf` adds those of every route. */
  readonly errors: readonly ApiErrorCode[];
  readonly requestSchema?: string;
  readonly requestMediaType?: string;
  readonly idempotencyKey?: boolean;
  readonly query?: readonly string[];
  readonly range?: boolean;
  /** Counts against the rate limit of job reads. */
  readonly jobRead?: boolean;
  /** Its URL carries the permission: no credential is needed or read. */
  readonly signed?: boolean;
  /** False: self-hosted answers it like an unknown path. */
  readonly selfHosted?: false;
  /** Answers with an event stream. */
  readonly events?: boolean;
  /** Its body is passed on as an unread stream. */
  readonly streamed?: boolean;
  /** Changes nothing more if it is called again, though it is no GET. */
  readonly repeatable?: boolean;
}

const EVERYWHERE: readonly ApiErrorCode[] = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'forbidden_origin',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  // A host that serves nothing, whatever the route.
  'not_found',
  // Wrong keys of an address, job reads, or bytes of bodies.
  'rate_limited',
  'upstream_error',
];

export function errorCodesOf(route: Route): readonly ApiErrorCode[] {
  const everywhere = route.signed === true ? EVERYWHERE.filter((code) => code !== 'unauthorized') : EVERYWHERE;
  const ofBodies: readonly ApiErrorCode[] =
    route.method === 'GET' || route.method === 'HEAD' ? [] : ['payload_too_large'];
  return [...new Set([...everywhere, ...ofBodies, ...route.errors])];
}

const json = (status: number, schema: string, description: string): RouteSuccess => ({ status, schema, description });

/** Every route of v2; `routesOf` gives those of a process. */
export const ROUTES: readonly Route[] = [
  {
    operation: 'uploadAsset',
    method: 'POST',
    path: '/api/v2/assets',
    summary: 'Upload bytes as an asset',
    scope: 'assets:write',
    successes: [json(201, 'MintedAsset', 'new bytes'), json(200, 'MintedAsset', 'bytes the account already had')],
    errors: ['hash_mismatch', 'idempotency_key_reuse', 'input_blocked', 'invalid_request'],
    requestSchema: 'AssetUpload',
    requestMediaType: 'multipart/form-data',
    idempotencyKey: true,
    streamed: true,
  },
  {
    operation: 'mintAssetFromHash',
    method: 'POST',
    path: '/api/v2/assets/from-hash',
    summary: 'Mint an asset over bytes already held',
    scope: 'assets:write',
    successes: [json(201, 'MintedAsset', 'minted'), json(200, 'MintedAsset', 'an identical reference existed')],
    errors: ['blob_not_found', 'invalid_request'],
    requestSchema: 'MintRequest',
  },
  {
    operation: 'checkAssetHash',
    method: 'HEAD',
    path: '/api/v2/assets/by-hash/{hash}',
    summary: 'Can the caller mint from these bytes?',
    scope: 'assets:read',
    successes: [{ status: 200, description: 'yes' }],
    errors: [],
  },
  {
    operation: 'getAsset',
    method: 'GET',
    path: '/api/v2/assets/{id}',
    summary: 'An asset',
    scope: 'assets:read',
    successes: [json(200, 'Asset', 'the asset with a fresh url')],
    errors: [],
  },
  {
    operation: 'deleteAsset',
    method: 'DELETE',
    path: '/api/v2/assets/{id}',
    summary: 'Delete the record',
    scope: 'assets:write',
    successes: [{ status: 204, description: 'deleted' }],
    errors: ['asset_in_use'],
  },
  {
    operation: 'getAssetContent',
    method: 'GET',
    path: '/api/v2/assets/{id}/content',
    summary: 'The bytes, whole or one range',
    scope: 'assets:read',
    successes: [
      { status: 200, mediaType: 'application/octet-stream', description: 'all bytes' },
      { status: 206, mediaType: 'application/octet-stream', description: 'the range' },
      { status: 302, description: 'managed and dedicated surfaces: a signed URL' },
    ],
    errors: ['range_not_satisfiable'],
    range: true,
  },
  {
    operation: 'readSignedContent',
    method: 'GET',
    path: '/api/v2/signed/{key}',
    summary: 'The bytes of a signed URL, whole or one range',
    scope: null,
    successes: [
      { status: 200, mediaType: 'application/octet-stream', description: 'all bytes' },
      { status: 206, mediaType: 'application/octet-stream', description: 'the range' },
    ],
    errors: ['range_not_satisfiable'],
    range: true,
    signed: true,
    selfHosted: false,
  },
  {
    operation: 'submitJob',
    method: 'POST',
    path: '/api/v2/jobs',
    summary: 'Submit a workflow as a durable job',
    scope: 'jobs:write',
    successes: [json(201, 'Job', 'durably recorded and queued')],
    errors: [
      'insufficient_credits',
      'invalid_workflow',
      'workflow_format_ui',
      'missing_asset',
      'idempotency_key_reuse',
      'metadata_invalid',
      'queue_full',
      'deployment_not_ready',
      'deployment_unavailable',
    ],
    requestSchema: 'JobSubmission',
    idempotencyKey: true,
  },
  {
    operation: 'listJobs',
    method: 'GET',
    path: '/api/v2/jobs',
    summary: 'Jobs, newest first',
    scope: 'jobs:read',
    successes: [json(200, 'JobList', 'a page')],
    errors: ['invalid_cursor', 'invalid_metadata_filter', 'invalid_request'],
    query: ['status', 'limit', 'cursor', 'idempotency_key', 'metadata'],
    jobRead: true,
  },
  {
    operation: 'getJob',
    method: 'GET',
    path: '/api/v2/jobs/{id}',
    summary: 'A job: status, progress, outputs so far',
    scope: 'jobs:read',
    successes: [json(200, 'Job', 'the job')],
    errors: [],
    jobRead: true,
  },
  {
    operation: 'cancelJob',
    method: 'POST',
    path: '/api/v2/jobs/{id}/cancel',
    summary: 'Cancel; idempotent',
    scope: 'jobs:write',
    successes: [json(200, 'Job', 'the job as it stands')],
    errors: [],
    repeatable: true,
  },
  {
    operation: 'getJobWorkflow',
    method: 'GET',
    path: '/api/v2/jobs/{id}/workflow',
    summary: 'The workflow as it was submitted',
    scope: 'jobs:read',
    successes: [json(200, 'JobWorkflow', 'the workflow')],
    errors: [],
    jobRead: true,
  },
  {
    operation: 'getJobLogs',
    method: 'GET',
    path: '/api/v2/jobs/{id}/logs',
    summary: 'The execution log of an ended job',
    scope: 'jobs:read',
    successes: [
      json(200, 'JobLog', 'what was captured'),
      { status: 204, description: 'no log; self-hosted offers none and answers 404' },
    ],
    errors: [],
    jobRead: true,
    selfHosted: false,
  },
  {
    operation: 'streamJobEvents',
    method: 'GET',
    path: '/api/v2/jobs/{id}/events',
    summary: 'Live events: status, progress, preview, output',
    scope: 'jobs:read',
    successes: [{ status: 200, mediaType: 'text/event-stream', description: 'snapshot, then what is new' }],
    errors: ['too_many_streams'],
    events: true,
  },
  {
    operation: 'getOpenApiDocument',
    method: 'GET',
    path: '/api/v2/openapi.json',
    summary: 'This document',
    scope: null,
    successes: [{ status: 200, mediaType: 'application/json', description: 'OpenAPI 3.1' }],
    errors: [],
  },
];

/** The routes of the self-hosted surface, or of a process with the other two. */
export function routesOf(selfHosted: boolean): readonly Route[] {
  return ROUTES.filter((route) => !selfHosted || route.selfHosted !== false);
}

/**
 * Methods of a path (HEAD wherever GET exists), for 405 and its Allow header; empty for an unknown path, and for one of
 * which nothing is served here.
 */
export function methodsOf(path: string, isServed: (route: Route) => boolean): string[] {
  const routes = MATCHERS.filter(({ matches }) => matches(path)).map(({ route }) => route);
  if (!routes.some(isServed)) return [];
  const found = new Set<string>(routes.map(({ method }) => method));
  if (found.has('GET')) found.add('HEAD');
  return [...found].sort();
}

const MATCHERS = ROUTES.map((route) => {
  const parts = route.path.split('/');
  return {
    route,
    matches: (asked: string): boolean => {
      const given = asked.split('/');
      const same = (part: string, at: number): boolean =>
        part.startsWith('{') ? given[at] !== '' : part === given[at];
      return given.length === parts.length && parts.every(same);
    },
  };
});
