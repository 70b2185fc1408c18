import type { Accepted, Rejected } from '@heddle/decision';
import { expect } from 'vitest';

type Decided<Event> = Accepted<Event> | Rejected<string>;
type Evolve<State, Event> = (state: State | null, event: Event, recordedAt: string) => State | null;

/** Tests a decision: given these events, when it is made, then these events (or none, or a rejection). */
export function given<State, Event>(
  past: Story<State, Event>,
): { when(decide: (state: State) => Decided<Event>): Outcome<State, Event> } {
  return { when: (decide) => new Outcome(past, decide(past.state())) };
}

class Outcome<State, Event> {
  constructor(
    private readonly past: Story<State, Event>,
    private readonly decision: Decided<Event>,
  ) {}

  /** Returns the state after them. */
  then(...events: readonly Event[]): NonNullable<State> {
    expect(this.decision).toEqual({ ok: true, events });
    return this.past.and(...events).state();
  }

  thenNothing(): void {
    expect(this.decision).toEqual({ ok: true, events: [] });
  }

  thenRejected(rejection: string): void {
    expect(this.decision).toEqual({ ok: false, rejection });
  }
}

/** A sequence of events with fixed times: one event per second from 2026-01-01T00:00:00Z. */
export class Story<State, Event> {
  constructor(
    private readonly evolve: Evolve<NonNullable<State>, Event>,
    private readonly events: readonly Event[] = [],
  ) {}

  and(...events: readonly Event[]): Story<NonNullable<State>, Event> {
    return new Story<NonNullable<State>, Event>(this.evolve, [...this.events, ...events]);
  }

  state(): State {
    const fold = (state: NonNullable<State> | null, event: Event, at: number): NonNullable<State> | null =>
      this.evolve(state, event, new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString());
    return this.events.reduce<NonNullable<State> | null>(fold, null) as State;
  }
}
