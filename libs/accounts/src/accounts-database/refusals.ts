import { invalidFields, refuse, rejected } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';

interface Refused {
  readonly ok: false;
  readonly rejection: Rejection;
}

/** Refuses the fields that have a problem; null if none has one. */
export function refusedFields(problems: Readonly<Record<string, string | null>>): Refused | null {
  const entries = Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null);
  if (entries.length === 0) return null;
  return rejected(invalidFields(Object.fromEntries(entries)));
}

export function unknownAccount(name: string): Refused {
  return rejected(refuse('not_found', { case: 'account', name: shown(name) }));
}

export function unknownKey(keyId: string): Refused {
  return rejected(refuse('not_found', { case: 'key', keyId: shown(keyId) }));
}

const MAX_SHOWN = 63;
const KEY_LIKE = /hdl_[A-Za-z0-9_]*/g;

/** A name as it was given, short and without a key: people paste the whole key where an id is asked for. */
function shown(text: string): string {
  return text.replace(KEY_LIKE, 'hdl_…').slice(0, MAX_SHOWN);
}
