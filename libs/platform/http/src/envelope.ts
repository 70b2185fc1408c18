import { ERROR_CODES } from '@heddle/contracts-api-v2';
import type { ErrorEnvelope } from '@heddle/contracts-api-v2';
import type { Rejection } from '@heddle/contracts-messages';

const DEFAULT_RETRY_AFTER_S = 1;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The only place where a rejection becomes status, headers and envelope (api-v2, ErrorEnvelope). */
export function errorAnswer({ code, message, details, retryAfterSeconds }: Rejection): ErrorAnswer {
  const { status, retryAfter } = ERROR_CODES[code];
  const envelope: ErrorEnvelope = { error: details === undefined ? { code, message } : { code, message, details } };
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (retryAfter) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds ?? DEFAULT_RETRY_AFTER_S)));
  if (code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  return { status, headers, body: JSON.stringify(envelope) };
}
