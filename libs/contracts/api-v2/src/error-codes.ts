/** The one catalogue of v2 error codes: status, whether Retry-After goes with it, and the level at which it is logged. */
interface ErrorCodeEntry {
  readonly status: number;
  readonly retryAfter: boolean;
  /** A client's mistake is never an error of ours. */
  readonly logLevel: 'debug' | 'warn' | 'error';
  readonly when: string;
}

const client = (status: number, when: string): ErrorCodeEntry => ({
  status,
  retryAfter: false,
  logLevel: 'debug',
  when,
});
const busy = (when: string): ErrorCodeEntry => ({ status: 429, retryAfter: true, logLevel: 'debug', when });

export const ERROR_CODES = {
  bad_request: client(400, 'unreadable HTTP or query'),
  invalid_cursor: client(400, 'a list cursor that was not issued here'),
  invalid_metadata_filter: client(400, 'a metadata filter of the list that is malformed'),
  unauthorized: client(401, 'no credential, or one that is not known'),
  insufficient_credits: client(402, 'managed and dedicated surfaces only'),
  forbidden: client(403, 'the credential may not do this'),
  forbidden_origin: client(403, 'a request from a web page or host that is not allowed'),
  not_found: client(404, 'unknown, not yours, expired or deleted; unknown routes too'),
  blob_not_found: client(404, 'no blob the caller may mint from'),
  method_not_allowed: client(405, 'the route exists, not with this method; Allow tells which'),
  request_timeout: client(408, 'the request did not arrive in time'),
  hash_mismatch: client(409, 'expected_hash differs from the hash the server computed'),
  asset_in_use: client(409, 'the platform still depends on the record'),
  payload_too_large: client(413, 'the body is over its limit'),
  uri_too_long: client(414, 'the request target is over its limit'),
  range_not_satisfiable: client(416, 'no byte of the requested range exists'),
  invalid_request: client(422, 'a field of the request is missing or malformed; details.fields names it'),
  idempotency_key_reuse: client(422, 'the key was claimed before'),
  input_blocked: client(422, 'the bytes are blocked by content moderation'),
  invalid_workflow: client(422, 'the graph or the body of a submission failed validation; details.node_errors'),
  workflow_format_ui: client(422, 'a workflow in UI format was submitted'),
  missing_asset: client(422, 'a referenced asset does not exist or is not owned by the caller'),
  metadata_invalid: client(422, 'labels of a submission break their rules; details names the key'),
  queue_full: busy('the bounded queue is full'),
  deployment_not_ready: busy('the deployment is provisioning or starting'),
  deployment_unavailable: busy('the deployment has no GPU at present'),
  rate_limited: busy('too many job reads of the account'),
  too_many_streams: busy('too many open event streams'),
  headers_too_large: client(431, 'the request head is over its limit'),
  upstream_error: {
    status: 500,
    retryAfter: false,
    logLevel: 'error',
    when: 'something failed that is not the client’s doing',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ApiErrorCode = keyof typeof ERROR_CODES;

/** api-v2, ErrorEnvelope */
export interface ErrorEnvelope {
  readonly error: { readonly code: ApiErrorCode; readonly message: string; readonly details?: object };
}
