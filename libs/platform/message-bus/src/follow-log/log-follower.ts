import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { Inbox, InboxSession, LoggedEvent, Place } from './inbox.js';

/** A page of the log, as its owner returns it. */
interface LogPage<Event extends LoggedEvent> {
  /** In log order; fewer than requested at the end of the log. */
  readonly events: readonly Event[];
  /** Id of the event that precedes the page; null if the log has no such event. */
  readonly after: string | null;
  /** Seq of the last event of the log. */
  readonly head: number;
}

export interface LogFollowerOptions<Event extends LoggedEvent, Session extends InboxSession> {
  readonly inbox: Inbox;
  /** Runs work in one transaction; rolls back if the work throws. */
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /** Applies the effects of the events. Never called twice for one event; not always in log order. */
  readonly apply: (session: Session, events: readonly Event[]) => Promise<void>;
  /** Asks the log's owner for the events after `seq`. */
  readonly pageAfter: (seq: number, limit: number) => Promise<LogPage<Event>>;
  /** True if a dependency is unreachable, however long; the event is not at fault. */
  readonly isOutage: (error: unknown) => boolean;
  readonly notice: (notice: FollowerNotice) => void;
  /** How long the place may stand still before the log is asked; default 10,000. */
  readonly patienceMs?: number;
}

export type FollowerNotice =
  | { readonly kind: 'caught_up'; readonly events: number; readonly place: number; readonly head: number }
  | { readonly kind: 'failed_event'; readonly event: LoggedEvent; readonly reason: string }
  | { readonly kind: 'other_log'; readonly place: number }
  | { readonly kind: 'state'; readonly place: number; readonly failures: number }
  | { readonly kind: 'away'; readonly error: unknown }
  | { readonly kind: 'in_reach' };

const STANDSTILL_TIMEOUT_MS = 10_000;
const PAGE = 500;

/**
 * Applies the events of a log exactly once. The bus delivers them at once; events that it did not deliver are read from
 * the log. A gap in the dense `seq` that lasts is a missed message: dropped, given up, lost with its topic, past its
 * retention, or moved by a repartitioning. The place does not depend on topics, partitions or offsets.
 */
export class LogFollower<Event extends LoggedEvent, Session extends InboxSession> {
  readonly #options: LogFollowerOptions<Event, Session>;
  #place: Place = { seq: -1, eventId: null };
  #movedAt = performance.now();
  /** The event at a place that the log confirmed since the last turn. */
  #known: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LogFollowerOptions<Event, Session>) {
    this.#options = options;
  }

  /** Handles events from the bus. */
  async handle(events: readonly Event[]): Promise<void> {
    const { inbox, transaction, apply } = this.#options;
    const passed = await transaction(async (session) => {
      const taken = await inbox.takeNew(session, events);
      if (taken.fresh.length > 0) await apply(session, taken.fresh);
      return taken.passed;
    });
    if (passed !== null && passed.eventId !== this.#known) await this.#verify(passed);
  }

  /** After a restore the bus may still hold events that the log lost: their numbers now belong to other events. */
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

  /** Runs a turn every `everyMs` until `stop`. */
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

  /**
   * Moves the place. If it has stood still for too long, reads the following events from the log until there are no
   * more.
   */
  async turn(): Promise<void> {
    const { patienceMs = STANDSTILL_TIMEOUT_MS, notice } = this.#options;
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
    // Since the page was read, the bus may have delivered later events.
    return { fresh, head: Math.max(head, this.#place.seq), ended: events.length < PAGE };
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

  /** For a page with an event that cannot be applied: the others still are. */
  async #applyAlone(event: Event): Promise<number> {
    const { inbox, transaction, isOutage, notice } = this.#options;
    try {
      await this.handle([event]);
      return 1;
    } catch (error) {
      if (isOutage(error)) throw error;
      const reason = errorMessage(error);
      const failed = await transaction((session) => inbox.markFailed(session, event, reason));
      if (failed) notice({ kind: 'failed_event', event, reason });
      return 0;
    }
  }
}
