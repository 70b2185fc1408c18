import type { ApiErrorCode } from '@heddle/contracts-api-v2';

/** A typed refusal: its status stands in the error catalogue of @heddle/contracts-api-v2. */
export interface Rejection {
  readonly code: ApiErrorCode;
  /** Says what is wrong, where, and what would be right; never holds input values of a credential. */
  readonly message: string;
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

export function rejected(
  code: ApiErrorCode,
  message: string,
  extra: Pick<Rejection, 'details' | 'retryAfterSeconds'> = {},
): { readonly ok: false; readonly rejection: Rejection } {
  return { ok: false, rejection: { code, message, ...extra } };
}
