import { isUuid, NIL_UUID } from '@heddle/contracts-messages';
import type { WalkedAccount } from './ledger-walk.js';

/** Where a part of the check begins. */
export type CheckPlace =
  | {
      readonly of: 'ledger';
      readonly accountId: string;
      readonly entryId: number;
      /** The account whose entries the part before has cut. */
      readonly carried: WalkedAccount | null;
    }
  | { readonly of: 'log' | 'tasks'; readonly after: string };

export const firstPlace = {
  of: 'ledger',
  accountId: NIL_UUID,
  entryId: 0,
  carried: null,
} as const satisfies CheckPlace;

export function placeText(place: CheckPlace): string {
  return JSON.stringify(place);
}

/** Takes what `placeText` gave: its ids become part of statements, so each is looked at. */
export function readCheckPlace(text: string): CheckPlace {
  const place = JSON.parse(text) as CheckPlace;
  const isSound =
    'after' in place
      ? ['log', 'tasks'].includes(place.of) && isId(place.after)
      : isId(place.accountId) &&
        Number.isSafeInteger(place.entryId) &&
        (place.carried === null || place.carried.accountId === place.accountId);
  if (!isSound) throw new Error('the place of a check is not one that the check gave');
  return place;
}

function isId(text: unknown): boolean {
  return text === firstPlace.accountId || (typeof text === 'string' && isUuid(text));
}
