import type { IncomingMessage } from 'node:http';
import { refuse } from '@heddle/contracts-messages';
import type { Refusal } from '../refusals/refusal.js';
import type { BodyShare } from './body-budget.js';
import type { HttpApi } from '../apis/http-api.js';
import { BodyFaultError } from './body-fault.js';
import { collectBody } from './collect-body.js';
import { RejectionError } from '../refusals/rejection-error.js';

interface BodyLimits {
  readonly bodyBytes: number;
  readonly bodyTimeoutMs: number;
}

const BUSY_RETRY_SECONDS = 1;

/**
 * The whole body as bytes, whatever its content type: 413 if it is too large, 408 if too slow, 429 if the process holds
 * its maximum of body bytes (decisions, Error codes). `share` counts the bytes held.
 */
export async function readBody(
  api: HttpApi,
  request: IncomingMessage,
  limits: BodyLimits,
  share: BodyShare,
): Promise<Buffer> {
  try {
    return await collectBody(request, limits, share);
  } catch (error) {
    throw error instanceof BodyFaultError ? new RejectionError(refusalOf(api, error, limits)) : error;
  }
}

function refusalOf(api: HttpApi, { fault }: BodyFaultError, { bodyBytes, bodyTimeoutMs }: BodyLimits): Refusal {
  switch (fault) {
    case 'too_large':
      return api.bodyTooLarge(bodyBytes);
    case 'no_room':
      return refuse('rate_limited', { case: 'body_budget' }, { retryAfterSeconds: BUSY_RETRY_SECONDS });
    case 'finely_cut':
      return refuse('bad_request', { case: 'finely_cut' });
    case 'late':
      return refuse('request_timeout', { case: 'body', seconds: bodyTimeoutMs / 1000 });
    case 'broken':
      return refuse('bad_request', { case: 'ended_early' });
  }
}
