import { ERROR_CODES } from '@heddle/contracts-api-v2';
import type { ErrorEnvelope } from '@heddle/contracts-api-v2';
import type { ApiErrorCode, ErrorText } from '@heddle/contracts-api-v2';
import { largeJson } from '../answers/large-json.js';
import type { Refusal } from './refusal.js';

const DEFAULT_RETRY_AFTER_S = 1;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The only place where a rejection becomes status, headers and envelope (api-v2, ErrorEnvelope). */
export function errorAnswer(refusal: Refusal): ErrorAnswer {
  const code = refusal.code as ApiErrorCode;
  const message = refusal.message as ErrorText;
  const { details } = refusal;
  const envelope: ErrorEnvelope = { error: details === undefined ? { code, message } : { code, message, details } };
  const { status, retryAfter } = ERROR_CODES[code];
  return { status, headers: errorHeaders(refusal, status, retryAfter), body: largeJson(envelope) };
}

/** Headers of an error with a JSON body. */
export function errorHeaders(
  { retryAfterSeconds }: Refusal,
  status: number,
  retryAfter: boolean,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (retryAfter) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds ?? DEFAULT_RETRY_AFTER_S)));
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return headers;
}
