import { rejected } from '@heddle/contracts-messages';
import type { Answer } from '@heddle/contracts-messages';

/** Unknown, another account's, expired and deleted are one answer (api-v2, Errors, other rules 1). */
export function noSuchAsset(): Extract<Answer<never>, { ok: false }> {
  return rejected('not_found', 'no such asset');
}
