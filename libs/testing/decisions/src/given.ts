import type { Accepted, Rejected } from '@heddle/decision';
import { expect } from 'vitest';

/** What happened before a decision. */
export interface Past<State, Event> {
  state(): State;
  and(...events: readonly Event[]): Past<NonNullable<State>, Event>;
}

type Decided<Event> = Accepted<Event> | Rejected<string>;

/** Tests a decision: given these events, when it is made, then these events (or none, or a rejection). */
export function given<State, Event extends { readonly type: string }>(
  past: Past<State, Event>,
): { when(decide: (state: State) => Decided<Event>): Outcome<State, Event> } {
  return { when: (decide) => new Outcome(past, decide(past.state())) };
}

export class Outcome<State, Event extends { readonly type: string }> {
  constructor(
    private readonly past: Past<State, Event>,
    private readonly decision: Decided<Event>,
  ) {}

  /** Returns the state after them. */
  then(...events: readonly Event[]): NonNullable<State> {
    expect(this.decision).toEqual({ ok: true, events });
    return this.past.and(...events).state();
  }

  /** Where the payloads are another test's. Returns the state after the events. */
  thenTypes(...types: readonly Event['type'][]): NonNullable<State> {
    const events = this.decision.ok ? this.decision.events : [];
    expect(this.decision.ok ? events.map(({ type }) => type) : this.decision).toEqual(types);
    return this.past.and(...events).state();
  }

  thenNothing(): void {
    expect(this.decision).toEqual({ ok: true, events: [] });
  }

  thenRejected(rejection: string): void {
    expect(this.decision).toEqual({ ok: false, rejection });
  }
}
