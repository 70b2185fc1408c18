import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, Rejection } from '@heddle/contracts-messages';

/** The only answer for unknown, foreign, expired, deleted and malformed ids (api-v2, Errors: Other rules 1). */
export function notFound(): { readonly ok: false; readonly rejection: Rejection } {
  return rejected(refuse('not_found', { case: 'resource' }));
}

/** Nothing, or the answer for an unknown id. */
export function orNotFound(isThere: boolean): Answer<null> {
  return isThere ? accepted(null) : notFound();
}
