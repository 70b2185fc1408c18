import { errorText } from '@heddle/contracts-api-v2';
import type { ApiErrorCode, ErrorCase, ErrorText } from '@heddle/contracts-api-v2';

/** A typed refusal: its code, status and text are in the error catalogue of @heddle/contracts-api-v2. */
export interface Rejection {
  readonly code: ApiErrorCode;
  /** Never contains a credential. */
  readonly message: ErrorText;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whole seconds, at least 1; only with codes that carry Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** Result of a call between services: a value, or a refusal for the client. */
export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rejection: Rejection };

export function accepted<T>(value: T): Answer<T> {
  return { ok: true, value };
}

/** The only way to create a refusal: a code of the catalogue, one of its cases, and details for the client. */
export function refuse<Code extends ApiErrorCode>(
  code: Code,
  what: ErrorCase<Code>,
  extra: Pick<Rejection, 'details' | 'retryAfterSeconds'> = {},
): Rejection {
  return { code, message: errorText(code, what), ...extra };
}

/** 422 `invalid_request` with `details.fields`: the problem of each field (decisions, Validation failures). */
export function invalidFields(fields: Readonly<Record<string, string>>, unknown: readonly string[] = []): Rejection {
  return refuse('invalid_request', { case: 'fields', fields, unknown }, { details: { fields: { ...fields } } });
}

export function rejected(rejection: Rejection): { readonly ok: false; readonly rejection: Rejection } {
  return { ok: false, rejection };
}

/** The only answer for unknown, foreign, expired, deleted and malformed ids (api-v2, Errors: Other rules 1). */
export function notFound(): { readonly ok: false; readonly rejection: Rejection } {
  return rejected(refuse('not_found', { case: 'resource' }));
}
