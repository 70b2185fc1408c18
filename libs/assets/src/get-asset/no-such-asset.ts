import { refuse, rejected } from '@heddle/contracts-messages';
import type { Answer } from '@heddle/contracts-messages';

/** Unknown, another account's, expired and deleted get the same answer (api-v2, Errors, other rules 1). */
export function noSuchAsset(): Extract<Answer<never>, { ok: false }> {
  return rejected(refuse('not_found', { case: 'resource' }));
}
