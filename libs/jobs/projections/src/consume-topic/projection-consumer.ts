import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { BusMessage, BusSubscription, MessageBus } from '@heddle/platform-message-bus';
import { Inbox } from '@heddle/platform-message-bus/follow-log';
import type { InboxSession, Place } from '@heddle/platform-message-bus/follow-log';
import { JobOrder } from '../order-versions/job-order.js';
import { messageOfEvent } from '../read-events/message-of-event.js';
import { placedMessage } from '../read-events/placed-message.js';
import type { PlacedMessage } from '../read-events/placed-message.js';
import { OtherLogError, ProjectionHoleError } from './projection-hole-error.js';
import type { Hole } from './projection-hole-error.js';

export interface ProjectionOptions<Session extends InboxSession> {
  /** Schema of the projection, with the tables of `projectionTablesSql`. */
  readonly schema: string;
  /** Runs work in one transaction; rolls back if the work throws. */
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
  /**
   * Folds messages into the projection's tables, in the transaction of the place. Each message comes once, those
   * of one job in version order; over all jobs there is no order.
   */
  readonly fold: (session: Session, messages: readonly JobMessage[]) => Promise<void>;
  /** How far beyond a hole the consumer goes; default 100,000 events. Bounds the rows that wait. */
  readonly maxAhead?: number;
}

/** The stored log from `firstSeq` on: an export, or a database. */
export interface StoredLog {
  /** 1, or the first number of a log that has aged. */
  readonly firstSeq: number;
  events(after: bigint, signal?: AbortSignal): AsyncIterable<readonly NumberedEvent[]>;
}

const MAX_AHEAD = 100_000;

/**
 * Folds the topic of job events into a projection, exactly once: what was folded is known from the projection's own
 * database, not from offsets. A repetition changes nothing. A hole in `seq` is noticed, whatever caused it.
 */
export class ProjectionConsumer<Session extends InboxSession = InboxSession> {
  readonly #inbox: Inbox;
  readonly #order: JobOrder;

  constructor(private readonly options: ProjectionOptions<Session>) {
    this.#inbox = new Inbox(options.schema, JOB_EVENTS_TOPIC);
    this.#order = new JobOrder(options.schema);
  }

  /** Takes messages as `group`. The bus must treat `ProjectionHoleError` as an outage: the messages are not at fault. */
  async subscribe(bus: MessageBus, group: string): Promise<BusSubscription> {
    return await bus.subscribe(JOB_EVENTS_TOPIC, group, (batch) => this.handle(batch));
  }

  async handle(batch: readonly BusMessage[]): Promise<void> {
    await this.#take(batch.map(placedMessage));
  }

  /** Folds what a stored log has behind the place, and returns the new place. The topic continues there. */
  async catchUp(log: StoredLog, signal?: AbortSignal): Promise<Place> {
    let place = await this.#begin(log.firstSeq);
    // The event at the place is read again: it shows whether the log is the one that was folded.
    for await (const events of log.events(BigInt(Math.max(log.firstSeq, place.seq) - 1), signal)) {
      signal?.throwIfAborted();
      place = await this.#take(events.map(messageOfEvent));
    }
    return place;
  }

  /** Every event up to this one was folded. */
  async place(): Promise<Place> {
    return await this.options.transaction((session) => this.#inbox.settle(session));
  }

  /** The events that are missing behind the place; null if nothing later has arrived. */
  async hole(): Promise<Hole | null> {
    return await this.options.transaction(async (session) => {
      const place = await this.#inbox.settle(session);
      const ahead = await this.#inbox.firstAhead(session, place);
      return ahead === null ? null : { from: place.seq + 1, to: ahead - 1 };
    });
  }

  /** A log that has aged begins behind 1: what left it is not missing. */
  async #begin(firstSeq: number): Promise<Place> {
    return await this.options.transaction(async (session) => {
      const place = await this.#inbox.settle(session);
      if (place.seq >= firstSeq - 1) return place;
      if (place.seq > 0) throw new ProjectionHoleError({ from: place.seq + 1, to: firstSeq - 1 });
      await this.#inbox.advance(session, place, { seq: firstSeq - 1, eventId: null });
      return await this.#inbox.settle(session);
    });
  }

  async #take(placed: readonly PlacedMessage[]): Promise<Place> {
    const { transaction, fold, maxAhead = MAX_AHEAD } = this.options;
    return await transaction(async (session) => {
      const { fresh, passed } = await this.#inbox.takeNew(session, placed, 'update');
      if (passed !== null) refuseOther(placed, passed);
      const ready = await this.#order.next(session, fresh);
      if (ready.length > 0) await fold(session, ready);
      const place = await this.#inbox.settle(session);
      await this.#order.abandon(session, place.seq);
      const last = Math.max(place.seq, ...fresh.map(({ seq }) => seq));
      const ahead = last > place.seq + maxAhead ? await this.#inbox.firstAhead(session, place) : null;
      if (ahead !== null) throw new ProjectionHoleError({ from: place.seq + 1, to: ahead - 1 });
      return place;
    });
  }
}

function refuseOther(placed: readonly PlacedMessage[], { seq, eventId }: Place): void {
  const other = placed.find((one) => one.seq === seq && eventId !== null && one.id !== eventId);
  if (other !== undefined) throw new OtherLogError(seq, String(eventId), other.id);
}
