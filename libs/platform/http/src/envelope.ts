import { ERROR_CODES } from '@heddle/contracts-api-v2';
import type { ErrorEnvelope } from '@heddle/contracts-api-v2';
import type { Rejection } from '@heddle/contracts-messages';

const DEFAULT_RETRY_AFTER_S = 1;
/** Unknown, foreign, expired, deleted and ill-formed are told apart by nothing (api-v2, Errors: Other rules 1). */
const NOT_FOUND = 'There is nothing here, or it is not yours.';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The one place where a rejection becomes status, headers and envelope (api-v2, ErrorEnvelope). */
export function errorAnswer({ code, message: given, details, retryAfterSeconds }: Rejection): ErrorAnswer {
  const { status, retryAfter } = ERROR_CODES[code];
  const message = code === 'not_found' ? NOT_FOUND : given;
  const envelope: ErrorEnvelope = { error: details === undefined ? { code, message } : { code, message, details } };
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (retryAfter) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds ?? DEFAULT_RETRY_AFTER_S)));
  if (code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  return { status, headers, body: JSON.stringify(envelope) };
}
