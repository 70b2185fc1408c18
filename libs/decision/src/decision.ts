export interface Accepted<Event> {
  readonly ok: true;
  /** To append; none if it is already so. */
  readonly events: readonly Event[];
}

export interface Rejected<Rejection> {
  readonly ok: false;
  /** Why the command changes nothing although it is not already done. */
  readonly rejection: Rejection;
}

/**
 * What a command comes to. Each decision names the rejections that it can give and no others, so that the compiler checks
 * the table of their refusals; a decision that names none is always accepted.
 */
export type Decision<Event, Rejection extends string = never> =
  Accepted<Event> | (Rejection extends string ? Rejected<Rejection> : never);

export function append<Event>(...events: readonly Event[]): Accepted<Event> {
  return { ok: true, events };
}

export const alreadySo: Accepted<never> = append();

export function reject<const Rejection extends string>(rejection: Rejection): Rejected<Rejection> {
  return { ok: false, rejection };
}
