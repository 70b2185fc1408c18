import { secondAt } from './second-at.js';

type Evolve<State, Event> = (state: State, event: Event, recordedAt: string) => State;

/** A sequence of events, one each second. A state that is null before the first event is one after it. */
export class Story<State, Event> {
  constructor(
    private readonly evolve: Evolve<State | NonNullable<State>, Event>,
    private readonly initial: State,
    readonly events: readonly Event[] = [],
  ) {}

  and(...events: readonly Event[]): Story<NonNullable<State>, Event> {
    const { evolve, initial } = this as unknown as Story<NonNullable<State>, Event>;
    return new Story<NonNullable<State>, Event>(evolve, initial, [...this.events, ...events]);
  }

  state(): State {
    return this.events.reduce<State>((state, event, at) => this.evolve(state, event, secondAt(at)), this.initial);
  }
}
