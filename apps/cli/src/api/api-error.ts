import { CliFailure, EXIT } from '../failure.js';
import { isRecord } from './wire.js';
import type { JsonRecord } from './wire.js';

/** A refusal by the service, from its error envelope. */
export class ApiError extends CliFailure {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: JsonRecord,
    readonly retryAfterSeconds: number | null,
    requestId: string | null,
  ) {
    const known = { code, message, ...(Object.keys(details).length > 0 ? { details } : {}) };
    const traced = status >= 500 && requestId !== null ? ` (request ${requestId})` : '';
    super(`${code}: ${message}${traced}`, EXIT.failed, NEXT_STEPS[code] ?? null, known);
  }
}

/** What a person does about a refusal; codes that say it themselves are absent. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  unauthorized: 'set HEDDLE_TOKEN to the token that this Heddle was started with',
  invalid_workflow: 'heddle validate GRAPH.json checks a graph without submitting it',
  workflow_format_ui: 'export the graph in API format ("Save (API format)") and submit that file',
  missing_asset: 'upload the file anew: heddle run --input NODE.INPUT=FILE, or heddle assets upload FILE',
  queue_full:
    'wait for jobs to end (heddle jobs --status queued,running), or raise HEDDLE_QUEUE_DEPTH_ACCOUNT where Heddle runs',
  asset_in_use: 'a job still depends on it; try again when the job is gone',
  upstream_error:
    'the log of the service names this request, and /readyz at its HEDDLE_OPS_PORT what is missing, such as space on a disk',
  hash_mismatch: 'the file changed while it was sent; try again',
};

export function apiError(status: number, headers: Readonly<Record<string, unknown>>, body: unknown): ApiError {
  const envelope = isRecord(body) && isRecord(body['error']) ? body['error'] : null;
  const requestId = typeof headers['x-request-id'] === 'string' ? headers['x-request-id'].slice(0, 200) : null;
  const retryAfter = Number(headers['retry-after']);
  const code = typeof envelope?.['code'] === 'string' ? envelope['code'] : `http_${status}`;
  const said = typeof envelope?.['message'] === 'string' ? envelope['message'] : null;
  return new ApiError(
    status,
    code,
    said ?? 'the answer is not one of Heddle; check --url',
    isRecord(envelope?.['details']) ? envelope['details'] : {},
    Number.isInteger(retryAfter) && retryAfter > 0 ? retryAfter : null,
    requestId,
  );
}
