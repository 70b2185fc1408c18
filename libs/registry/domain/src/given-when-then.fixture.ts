import type { Accepted, Rejected } from '@heddle/decision';
import { expect } from 'vitest';

/** Tests a decision: given this state, when it is made, then these events (or none, or a rejection). */
export function given<State>(state: State): {
  when<Event>(decide: (state: State) => Accepted<Event> | Rejected<string>): Outcome<Event>;
} {
  return { when: (decide) => new Outcome(decide(state)) };
}

class Outcome<Event> {
  constructor(private readonly decision: Accepted<Event> | Rejected<string>) {}

  then(...events: readonly Event[]): void {
    expect(this.decision).toEqual({ ok: true, events });
  }

  thenNothing(): void {
    expect(this.decision).toEqual({ ok: true, events: [] });
  }

  thenRejected(rejection: string): void {
    expect(this.decision).toEqual({ ok: false, rejection });
  }

  /** The events, to go on with. */
  get events(): readonly Event[] {
    return this.decision.ok ? this.decision.events : [];
  }
}
