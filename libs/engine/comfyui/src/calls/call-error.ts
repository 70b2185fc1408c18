/**
 * Why a call to the engine has no answer. `refused`: it never reached the engine; `broken`: the connection broke;
 * `late`: the deadline passed; `too_large`: the answer exceeds the limit; `unreadable`: the answer is malformed.
 */
type EngineCallFailure = 'refused' | 'broken' | 'late' | 'too_large' | 'unreadable';

/** A call to the engine without a usable answer. Its message names the route and never contains request data. */
export class EngineCallError extends Error {
  constructor(
    readonly failure: EngineCallFailure,
    route: string,
    detail: string,
  ) {
    super(`${route} of the engine: ${detail}`);
    this.name = 'EngineCallError';
  }
}

const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const LATE = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** Converts an HTTP client error to a driver error; driver errors pass unchanged. */
export function callError(error: unknown, route: string): EngineCallError {
  if (error instanceof EngineCallError) return error;
  const code = codeOf(error);
  if (NEVER_SENT.has(code)) return new EngineCallError('refused', route, `no connection (${code})`);
  const name = error instanceof Error ? error.name : '';
  if (LATE.has(code) || name === 'TimeoutError') return new EngineCallError('late', route, 'no answer in time');
  return new EngineCallError('broken', route, `the connection broke (${code === '' ? name || 'unknown' : code})`);
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
