import { errorText } from '@heddle/contracts-api-v2';
import type { ApiErrorCode, ErrorCase, ErrorText } from '@heddle/contracts-api-v2';

/** A typed refusal: its code, status and text stand in the error catalogue of @heddle/contracts-api-v2. */
export interface Rejection {
  readonly code: ApiErrorCode;
  /** Never holds a credential. */
  readonly message: ErrorText;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whole seconds, at least 1; only with codes that carry Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** What a call between services answers: a value, or a refusal that the client will read. */
export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly rejection: Rejection };

export function accepted<T>(value: T): Answer<T> {
  return { ok: true, value };
}

/** The one way to a refusal: a code of the catalogue, one of its cases, and what the client learns besides. */
export function refuse<Code extends ApiErrorCode>(
  code: Code,
  what: ErrorCase<Code>,
  extra: Pick<Rejection, 'details' | 'retryAfterSeconds'> = {},
): Rejection {
  return { code, message: errorText(code, what), ...extra };
}

export function rejected(rejection: Rejection): { readonly ok: false; readonly rejection: Rejection } {
  return { ok: false, rejection };
}
