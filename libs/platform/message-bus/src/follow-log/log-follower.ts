import type { Inbox, InboxSession, LoggedEvent, Place } from './inbox.js';

/** A part of the log, as its owner gives it. */
export interface LogPage<Event extends LoggedEvent> {
  /** In the order of the log; fewer than were asked for at its end. */
  readonly events: readonly Event[];
  /** The log's own id of the event after which the page begins; null where the log has no such event. */
  readonly after: string | null;
  /** Of the last event of the log. */
  readonly head: number;
}

export interface LogFollowerOptions<Event extends LoggedEvent, Session extends InboxSession> {
  readonly inbox: Inbox;
  /** Runs work in one transaction, which is undone where the work throws. */
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** What the events lead to. Never twice for one event, and not always in the order of the log. */
  readonly apply: (session: Session, events: readonly Event[]) => Promise<void>;
  /** Asks the owner of the log for the events after `seq`. */
  readonly pageAfter: (seq: number, limit: number) => Promise<LogPage<Event>>;
  /** The failure is not the event's: a dependency is away, however long. */
  readonly isOutage: (error: unknown) => boolean;
  readonly notice: (notice: FollowerNotice) => void;
  /** How long the place may stand still before the log is asked; 10,000. */
  readonly patienceMs?: number;
}

export type FollowerNotice =
  | { readonly kind: 'caught_up'; readonly events: number; readonly place: number; readonly head: number }
  | { readonly kind: 'failed_event'; readonly event: LoggedEvent; readonly reason: string }
  | { readonly kind: 'other_log'; readonly place: number }
  | { readonly kind: 'state'; readonly place: number; readonly failures: number }
  | { readonly kind: 'away'; readonly error: unknown }
  | { readonly kind: 'in_reach' };

const PATIENCE_MS = 10_000;
const PAGE = 500;

/**
 * Applies the events of a log exactly once, from whichever side they come: the bus brings them at once, and where it did not, the log itself
 * does. A hole in the dense `seq` that stays for a while is a message that was missed: dropped, given up, gone with its topic or past its
 * retention, or moved with a repartitioning. The place does not depend on topics, partitions or offsets.
 */
export class LogFollower<Event extends LoggedEvent, Session extends InboxSession> {
  readonly #options: LogFollowerOptions<Event, Session>;
  #place: Place = { seq: -1, eventId: null };
  #movedAt = performance.now();
  /** The event of a place that the log has there too, as it said since the last turn. */
  #known: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LogFollowerOptions<Event, Session>) {
    this.#options = options;
  }

  /** Events from the bus. */
  async handle(events: readonly Event[]): Promise<void> {
    const { inbox, transaction, apply } = this.#options;
    const passed = await transaction(async (session) => {
      const taken = await inbox.takeNew(session, events);
      if (taken.fresh.length > 0) await apply(session, taken.fresh);
      return taken.passed;
    });
    if (passed !== null && passed.eventId !== this.#known) await this.#verify(passed);
  }

  /** Of a log that was restored the bus may still have had the lost part: its events stand where other ones do now. */
  async #verify(place: Place): Promise<void> {
    const { after } = await this.#options.pageAfter(place.seq, 1);
    if (after !== place.eventId) await this.#restart(place);
    else this.#known = after;
  }

  async #restart(place: Place): Promise<void> {
    const { inbox, transaction, notice } = this.#options;
    notice({ kind: 'other_log', place: place.seq });
    await transaction((session) => inbox.restart(session, place));
    this.#place = { seq: 0, eventId: null };
  }

  /** Looks after the place every `everyMs` until `stop`. */
  start(everyMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#turn = this.turn()
        .then(
          () => this.#options.notice({ kind: 'in_reach' }),
          (error: unknown) => this.#options.notice({ kind: 'away', error }),
        )
        .finally(() => this.start(everyMs));
    }, everyMs).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /** Moves the place; where it has stood still for too long, asks the log for what follows until there is nothing more. */
  async turn(): Promise<void> {
    const { patienceMs = PATIENCE_MS, notice } = this.#options;
    this.#known = null;
    await this.#settle();
    if (performance.now() - this.#movedAt < patienceMs) return;
    for (let page = await this.#catchUp(); !this.#stopped; page = await this.#catchUp()) {
      if (page.fresh > 0) notice({ kind: 'caught_up', events: page.fresh, place: this.#place.seq, head: page.head });
      if (page.ended) break;
    }
    this.#movedAt = performance.now();
  }

  async #settle(): Promise<void> {
    const { inbox, transaction, notice } = this.#options;
    const { place, failures } = await transaction(async (session) => ({
      place: await inbox.settle(session),
      failures: await inbox.failures(session),
    }));
    if (place.seq !== this.#place.seq) this.#movedAt = performance.now();
    this.#place = place;
    notice({ kind: 'state', place: place.seq, failures });
  }

  async #catchUp(): Promise<{ readonly fresh: number; readonly head: number; readonly ended: boolean }> {
    const { pageAfter } = this.#options;
    const from = this.#place;
    const { events, after, head } = await pageAfter(from.seq, PAGE);
    if (from.seq > 0 && after !== from.eventId) {
      await this.#restart(from);
      return { fresh: 0, head, ended: false };
    }
    const fresh = await this.#applyPage(from, events);
    await this.#settle();
    return { fresh, head, ended: events.length < PAGE };
  }

  async #applyPage(from: Place, events: readonly Event[]): Promise<number> {
    const { inbox, transaction, apply, isOutage } = this.#options;
    const last = events.at(-1);
    if (last === undefined) return 0;
    const to = { seq: last.seq, eventId: last.id };
    try {
      return await transaction(async (session) => {
        const { fresh } = await inbox.takeNew(session, events, 'update');
        if (fresh.length > 0) await apply(session, fresh);
        await inbox.advance(session, from, to);
        return fresh.length;
      });
    } catch (error) {
      if (isOutage(error)) throw error;
    }
    let fresh = 0;
    for (const event of events) fresh += await this.#applyAlone(event);
    return fresh;
  }

  /** Of a page in which an event cannot be applied: the others are. */
  async #applyAlone(event: Event): Promise<number> {
    const { inbox, transaction, isOutage, notice } = this.#options;
    try {
      await this.handle([event]);
      return 1;
    } catch (error) {
      if (isOutage(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const failed = await transaction((session) => inbox.markFailed(session, event, reason));
      if (failed) notice({ kind: 'failed_event', event, reason });
      return 0;
    }
  }
}
