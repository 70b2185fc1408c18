/** A named prepared statement. */
export interface InboxStatement {
  readonly name: string;
  readonly text: string;
}

/** The open transaction of an effect. */
export interface InboxSession {
  query<Row extends object>(statement: InboxStatement, values: readonly unknown[]): Promise<Row[]>;
}

/** How an inbox identifies an event. */
export interface LoggedEvent {
  readonly id: string;
  /** Number in the whole log, dense from 1. */
  readonly seq: number;
}

export interface Place {
  /** No event up to this one is missing. */
  readonly seq: number;
  readonly eventId: string | null;
}

interface Taken<Event> {
  /** Events that were not applied before, in log order. */
  readonly fresh: readonly Event[];
  /** The current place if one of the events was at or before it: a repetition, or an event of another log. */
  readonly passed: Place | null;
}

interface PlaceRow {
  readonly seq: string;
  readonly event_id: string | null;
}

/** Rows per step; bounds each statement when the inbox is far behind. */
const STEP = 10_000;
const MAX_FAILURE_CHARACTERS = 500;

/**
 * Statements on one service's inbox of one topic (see `inboxMigrationSql`). Each method runs in the caller's
 * transaction.
 */
export class Inbox {
  constructor(
    private readonly schema: string,
    readonly topic: string,
  ) {}

  /**
   * Records the events and returns those that were not applied before. Waits for a concurrent transaction with the same
   * event. An event that failed before counts as new. Pass `update` if the transaction later calls `advance`: two
   * transactions that both hold the row `for share` would deadlock when they upgrade.
   */
  async takeNew<Event extends LoggedEvent>(
    session: InboxSession,
    events: readonly Event[],
    lock: 'share' | 'update' = 'share',
  ): Promise<Taken<Event>> {
    const ordered = [...new Map(events.map((event) => [event.id, event])).values()].sort((a, b) => a.seq - b.seq);
    const [row] = await session.query<PlaceRow & { readonly taken: readonly string[] }>(
      {
        name: `${this.schema}.inbox_take_${lock}`,
        // The place is locked until the effect is committed: it must not pass events that are being applied.
        text: `with place as materialized (
                 select seq, event_id from ${this.schema}.inbox_place where topic = $1 for ${lock}
               ), given as (
                 select * from unnest($2::bigint[], $3::uuid[]) as g (seq, event_id)
               ), again as (
                 update ${this.schema}.inbox i set failure = null from given g, place p
                 where i.topic = $1 and i.seq = g.seq and i.event_id = g.event_id and i.failure is not null
                 returning i.event_id
               ), taken as (
                 insert into ${this.schema}.inbox (topic, seq, event_id)
                 select $1, g.seq, g.event_id from given g, place p where g.seq > p.seq order by g.seq
                 on conflict do nothing returning event_id
               )
               select p.seq, p.event_id,
                 array(select event_id::text from again union all select event_id::text from taken) as taken
               from place p`,
      },
      [this.topic, ordered.map(({ seq }) => seq), ordered.map(({ id }) => id)],
    );
    if (row === undefined) {
      await this.#open(session);
      return await this.takeNew(session, events, lock);
    }
    const taken = new Set(row.taken);
    const place = placeOf(row);
    const hasPassed = ordered.some(({ id, seq }) => seq <= place.seq && !taken.has(id));
    return { fresh: ordered.filter(({ id }) => taken.has(id)), passed: hasPassed ? place : null };
  }

  /**
   * Records that the event cannot be applied: the place may pass it, and it counts as new when it is delivered again.
   * Returns false if another process has applied it meanwhile.
   */
  async markFailed(session: InboxSession, { seq, id }: LoggedEvent, reason: string): Promise<boolean> {
    const { seq: place } = await this.#place(session, 'share');
    const rows = await session.query(
      {
        name: `${this.schema}.inbox_fail`,
        // Without a row, an event before the place was applied; a row without a failure was applied too.
        text: `insert into ${this.schema}.inbox as i (topic, seq, event_id, failure)
               select $1, $2, $3, $4 where $2::bigint > $5::bigint or exists (
                 select from ${this.schema}.inbox where topic = $1 and seq = $2 and event_id = $3
               )
               on conflict (topic, seq, event_id) do update set failure = excluded.failure where i.failure is not null
               returning seq`,
      },
      [this.topic, seq, id, reason.slice(0, MAX_FAILURE_CHARACTERS), place],
    );
    return rows.length > 0;
  }

  /** Moves the place over consecutive events and removes their rows. Returns the new place. */
  async settle(session: InboxSession): Promise<Place> {
    for (;;) {
      const before = await this.#place(session, 'update');
      const [row] = await session.query<PlaceRow>(
        {
          name: `${this.schema}.inbox_settle`,
          text: `with next as (
                   select seq, event_id, row_number() over (order by seq) as n from (
                     select distinct on (seq) seq, event_id from ${this.schema}.inbox
                     where topic = $1 and seq > $2::bigint order by seq limit ${STEP}
                   ) i
                 ), reached as (
                   select seq, event_id from next where seq = $2::bigint + n order by seq desc limit 1
                 )
                 update ${this.schema}.inbox_place p set seq = r.seq, event_id = r.event_id
                 from reached r where p.topic = $1 returning p.seq, p.event_id`,
        },
        [this.topic, before.seq],
      );
      const place = row === undefined ? before : placeOf(row);
      await this.#prune(session, place.seq);
      if (place.seq < before.seq + STEP) return place;
    }
  }

  /** Moves the place to the end of a page of the log; no effect if another process has moved it. */
  async advance(session: InboxSession, from: Place, to: Place): Promise<void> {
    const now = await this.#place(session, 'update');
    if (now.seq !== from.seq || to.seq <= now.seq) return;
    await this.#put(session, to);
    await this.#prune(session, to.seq);
  }

  /** The log was replaced: everything must be applied again. No effect if another process has already started. */
  async restart(session: InboxSession, from: Place): Promise<void> {
    const now = await this.#place(session, 'update');
    if (now.seq < from.seq) return;
    await session.query(
      { name: `${this.schema}.inbox_clear`, text: `delete from ${this.schema}.inbox where topic = $1` },
      [this.topic],
    );
    await this.#put(session, { seq: 0, eventId: null });
  }

  /** The first event that was recorded after a settled place: it ends a hole. Null: there is none. */
  async firstAhead(session: InboxSession, { seq }: Place): Promise<number | null> {
    const [row] = await session.query<{ readonly seq: string | null }>(
      {
        name: `${this.schema}.inbox_ahead`,
        text: `select min(seq) as seq from ${this.schema}.inbox where topic = $1 and seq > $2::bigint`,
      },
      [this.topic, seq],
    );
    return row === undefined || row.seq === null ? null : Number(row.seq);
  }

  /** Number of events that could not be applied. */
  async failures(session: InboxSession): Promise<number> {
    const [row] = await session.query<{ readonly count: number }>(
      {
        name: `${this.schema}.inbox_failures`,
        text: `select count(*)::int as count from ${this.schema}.inbox where topic = $1 and failure is not null`,
      },
      [this.topic],
    );
    return row?.count ?? 0;
  }

  async #place(session: InboxSession, lock: 'share' | 'update'): Promise<Place> {
    const statement = {
      name: `${this.schema}.inbox_place_${lock}`,
      text: `select seq, event_id from ${this.schema}.inbox_place where topic = $1 for ${lock}`,
    };
    const [row] = await session.query<PlaceRow>(statement, [this.topic]);
    if (row !== undefined) return placeOf(row);
    await this.#open(session);
    return await this.#place(session, lock);
  }

  async #open(session: InboxSession): Promise<void> {
    await session.query(
      {
        name: `${this.schema}.inbox_open`,
        text: `insert into ${this.schema}.inbox_place (topic) values ($1) on conflict do nothing`,
      },
      [this.topic],
    );
  }

  async #put(session: InboxSession, { seq, eventId }: Place): Promise<void> {
    await session.query(
      {
        name: `${this.schema}.inbox_put`,
        text: `update ${this.schema}.inbox_place set seq = $2, event_id = $3 where topic = $1`,
      },
      [this.topic, seq, eventId],
    );
  }

  async #prune(session: InboxSession, seq: number): Promise<void> {
    await session.query(
      {
        name: `${this.schema}.inbox_prune`,
        text: `delete from ${this.schema}.inbox where topic = $1 and seq <= $2::bigint and failure is null`,
      },
      [this.topic, seq],
    );
  }
}

function placeOf({ seq, event_id }: PlaceRow): Place {
  return { seq: Number(seq), eventId: event_id };
}
