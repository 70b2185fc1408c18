export interface Accepted<Event> {
  readonly ok: true;
  /** To append; none if the command changes nothing because it is done already. */
  readonly events: readonly Event[];
}

export interface Rejected<Rejection> {
  readonly ok: false;
  /** Why the command is refused. */
  readonly rejection: Rejection;
}

/**
 * The result of a command. Each decision names exactly the rejections that it can return, so that the compiler checks
 * the table of their refusals. A decision that names none is always accepted.
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
