import type { RejectionError } from '@heddle/platform-http';
import type { Accepted, Rejected } from '@heddle/decision';

/** The refusal of each rejection that a decision can give: a missing entry does not compile, nor one too many. */
export type Refusals<Rejection extends string> = { readonly [Each in Rejection]: () => RejectionError };

/** The events of a decision that may be rejected; throws the refusal of its rejection. */
export function acceptedEvents<Event, Rejection extends string>(
  decision: Accepted<Event> | Rejected<Rejection>,
  refusals: Refusals<NoInfer<Rejection>>,
): readonly Event[] {
  if (decision.ok) return decision.events;
  throw (refusals as Refusals<Rejection>)[decision.rejection]();
}
