import { CliFailure, codedFailure, EXIT } from '../failure.js';
import { SERVICE_NAMES } from './place-names.js';
import type { PlaceNames } from './place-names.js';
import { isRecord } from './wire.js';
import type { JsonRecord } from './wire.js';

/** The `error` object of the service's envelope. */
interface ErrorObject {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonRecord;
}

/** What the head of a refusal says. */
interface RefusalHead {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;
  readonly names?: PlaceNames;
  /** Whom the command asked. */
  readonly origin?: string;
}

/** Heddle itself says what it does not have: another program was asked, on its health port for example. */
const ELSEWHERE = 'http_404';

/** A refusal by the service. */
export class ApiError extends CliFailure {
  readonly status: number;
  readonly code: string;
  readonly details: JsonRecord;
  readonly retryAfterSeconds: number | null;

  constructor(head: RefusalHead, error: ErrorObject) {
    const { status, retryAfterSeconds, requestId } = head;
    const traced = status >= 500 && requestId !== null ? ` (request ${requestId})` : '';
    const isElsewhere = error.code === ELSEWHERE;
    super(
      isElsewhere ? error.message : `${error.code}: ${error.message}${traced}`,
      isElsewhere ? EXIT.unreachable : EXIT.failed,
      nextStepOf(error.code, head),
      isElsewhere ? { ...error, code: 'unreachable' } : error,
    );
    this.status = status;
    this.code = error.code;
    this.details = error.details ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** True where the connection failed; false for every answer. */
export function isCut(error: unknown): boolean {
  return error instanceof CliFailure && error.exitCode === EXIT.unreachable && !(error instanceof ApiError);
}

function nextStepOf(code: string, { names = SERVICE_NAMES, origin }: RefusalHead): string | null {
  const { option, variable } = names;
  if (code.startsWith('http_')) return `check ${option} or ${variable}`;
  // Every host of a surface answers in the same way for what another one has.
  if (code === 'not_found' && names === SERVICE_NAMES && origin !== undefined)
    return `${origin} was asked: check ${option} or ${variable}, and whose key HEDDLE_TOKEN holds`;
  return NEXT_STEPS[code] ?? null;
}

/** What helps after a refusal, in terms of this command. The service's message says what happened and which limit to raise. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  unauthorized:
    'set HEDDLE_TOKEN to an API key that is neither expired nor revoked, or on self-hosted to the token that this Heddle was started with',
  missing_asset: 'heddle run --input NODE.INPUT=FILE uploads a file and puts it in',
  queue_full: 'heddle jobs --status queued,running lists the jobs that wait',
  asset_in_use:
    'a job that has not ended, a kept job that made it, or a hold of the operator keeps it: heddle jobs lists the jobs',
  invalid_token: 'heddle registry login PUBLISHER keeps a valid token; HEDDLE_REGISTRY_TOKEN is used before it',
  version_exists: 'raise the version in pyproject.toml and publish again',
};

/**
 * The service does not say what it did not find, because its answer must not tell of other accounts; the command knows
 * what it asked for.
 */
export async function orNamed<T>(request: Promise<T>, absent: string, nextStep: string): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    throw codedFailure(error.code, absent, EXIT.failed, nextStep);
  }
}

/** The envelope that a refusal of HEAD would have, as far as its status says; null for another status. */
export function bodilessError(status: number): { readonly error: ErrorObject } | null {
  const error = BODILESS[status];
  return error === undefined ? null : { error };
}

const BODILESS: Readonly<Record<number, ErrorObject>> = {
  401: { code: 'unauthorized', message: 'This request needs a valid credential.' },
  403: { code: 'forbidden', message: 'The account of this key is suspended, or the key lacks a scope.' },
  429: { code: 'rate_limited', message: 'Too many requests.' },
};

/** The error object of an answer; that of the registry is `{error: CODE, message}`. */
function envelopeIn(body: unknown): JsonRecord | null {
  if (!isRecord(body)) return null;
  const { error, message } = body;
  if (typeof error === 'string' && typeof message === 'string') return { code: error, message };
  return isRecord(error) ? error : null;
}

interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly origin: string;
  readonly names: PlaceNames;
}

export function apiError({ status, headers, origin, names }: AnswerHead, body: unknown): ApiError {
  const envelope = envelopeIn(body);
  const requestId = typeof headers['x-request-id'] === 'string' ? headers['x-request-id'].slice(0, 200) : null;
  const retryAfter = Number(headers['retry-after']);
  const code = typeof envelope?.['code'] === 'string' ? envelope['code'] : `http_${status}`;
  const said = typeof envelope?.['message'] === 'string' ? envelope['message'] : null;
  const details = envelope?.['details'];
  const head = {
    status,
    requestId,
    names,
    origin,
    retryAfterSeconds: Number.isInteger(retryAfter) && retryAfter > 0 ? retryAfter : null,
  };
  return new ApiError(head, {
    code,
    message: said ?? `${origin} does not answer as Heddle does`,
    ...(isRecord(details) && Object.keys(details).length > 0 ? { details } : {}),
  });
}
