import { randomUUID } from 'node:crypto';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inboxMigrationSql } from './inbox-migration.js';
import { Inbox } from './inbox.js';
import type { InboxSession, InboxStatement, LoggedEvent } from './inbox.js';
import { LogFollower } from './log-follower.js';
import type { FollowerNotice, LogFollowerOptions } from './log-follower.js';

const SCHEMA = 'sample';
const ROLE = 'heddle_sample';
const tables = `create table sample.effect (event_id uuid not null); grant select, insert, delete on sample.effect to ${ROLE};`;
const MIGRATIONS = {
  schema: SCHEMA,
  role: ROLE,
  migrations: [
    { name: '0001-inbox', up: inboxMigrationSql(SCHEMA, ROLE) },
    { name: '0002-effect', up: tables },
  ],
};

class Away extends Error {}

class PgSession implements InboxSession {
  constructor(private readonly client: pg.PoolClient) {}

  async query<Row extends object>(statement: InboxStatement, values: readonly unknown[]): Promise<Row[]> {
    return (await this.client.query<Row & pg.QueryResultRow>({ ...statement, values: [...values] })).rows;
  }
}

describe('a follower of a log', () => {
  let database: TestDatabase;
  let log: LoggedEvent[];
  let notices: FollowerNotice[];
  let poison: string | null;
  let outage: boolean;
  let pages: number;

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [MIGRATIONS] });
  });
  afterAll(async () => {
    await database.drop();
  });
  beforeEach(async () => {
    await database.owner.query('truncate sample.effect, sample.inbox, sample.inbox_place');
    [log, notices, poison, outage, pages] = [[], [], null, false, 0];
  });

  const written = (count: number): LoggedEvent[] => {
    for (let n = 0; n < count; n++) log.push({ id: randomUUID(), seq: log.length + 1 });
    return log;
  };

  async function transaction<T>(work: (session: PgSession) => Promise<T>): Promise<T> {
    const client = await database.pool(ROLE).connect();
    try {
      await client.query('begin');
      const value = await work(new PgSession(client));
      await client.query('commit');
      return value;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  function follower(
    more: Partial<LogFollowerOptions<LoggedEvent, PgSession>> = {},
  ): LogFollower<LoggedEvent, PgSession> {
    return new LogFollower({
      inbox: new Inbox(SCHEMA, 'topic'),
      transaction,
      apply: async (session, events) => {
        if (outage) throw new Away('the database is away');
        if (events.some(({ id }) => id === poison)) throw new Error('cannot be applied');
        const insert = { name: 'effect', text: 'insert into sample.effect select unnest($1::uuid[])' };
        await session.query(insert, [events.map(({ id }) => id)]);
      },
      pageAfter: async (seq, limit) => {
        pages += 1;
        const after = log[seq - 1]?.id ?? null;
        return await Promise.resolve({ events: log.slice(seq, seq + limit), after, head: log.length });
      },
      isOutage: (error) => error instanceof Away,
      notice: (notice) => notices.push(notice),
      patienceMs: 0,
      ...more,
    });
  }

  const effects = async (): Promise<string[]> =>
    (await database.owner.query<{ event_id: string }>('select event_id from sample.effect')).rows.map(
      (r) => r.event_id,
    );
  const appliedOnce = async (): Promise<void> =>
    expect((await effects()).sort()).toEqual(log.map(({ id }) => id).sort());
  const rows = async (): Promise<number> => (await database.owner.query('select from sample.inbox')).rowCount ?? 0;
  const kinds = (): string[] => notices.map(({ kind }) => kind).filter((kind) => kind !== 'state');

  it('applies an event once, however often and by however many it is heard at once', async () => {
    const [first, second] = written(2);
    const [one, two] = [follower(), follower()];
    await one.handle([first!, second!, first!]);
    await Promise.all([one.handle([first!]), two.handle([second!, first!])]);
    await two.turn();
    await one.handle([second!]);
    await appliedOnce();
  });

  it('reads from the log what the bus did not bring: one message, and all of them', async () => {
    const one = follower();
    await one.handle(written(5).filter(({ seq }) => seq !== 3));
    expect(await effects()).toHaveLength(4);
    await one.turn();
    await appliedOnce();
    written(1_234);
    await one.turn();
    await appliedOnce();
    expect(notices).toContainEqual({ kind: 'caught_up', events: 1, place: 5, head: 5 });
  });

  it('reports no place beyond the head when later events came while it read a page', async () => {
    const [first, ...later] = written(3);
    const one: ReturnType<typeof follower> = follower({
      pageAfter: async () => {
        await one.handle(later);
        return { events: [first!], after: null, head: 1 };
      },
    });
    await one.turn();
    expect(notices).toContainEqual({ kind: 'caught_up', events: 1, place: 3, head: 3 });
  });

  it('asks nothing while events arrive, and gives the bus its time', async () => {
    const patient = follower({ patienceMs: 60_000 });
    await patient.handle(written(3).slice(1));
    await patient.turn();
    expect(pages).toBe(0);
  });

  it('keeps a row for what is behind a hole, and none for what is before', async () => {
    const one = follower({ patienceMs: 60_000 });
    await one.handle(written(50).filter(({ seq }) => seq !== 20));
    await one.turn();
    expect(await rows()).toBe(30);
    await one.handle([log[19]!]);
    await one.turn();
    expect(await rows()).toBe(0);
    // Events before the place count as applied without a row.
    await one.handle(log);
    await appliedOnce();
  });

  it('passes an event that cannot be applied, names it, and applies it when it comes again', async () => {
    const one = follower();
    poison = written(9)[4]!.id;
    await expect(one.handle(log)).rejects.toThrow('cannot be applied');
    await one.turn();
    expect(await effects()).toHaveLength(8);
    expect(notices).toContainEqual({ kind: 'failed_event', event: log[4], reason: 'cannot be applied' });
    expect(notices.at(-1)).toMatchObject({ kind: 'caught_up' });
    await one.turn();
    expect(notices.at(-1)).toEqual({ kind: 'state', place: 9, failures: 1 });
    poison = null;
    await one.handle([log[4]!]);
    await one.turn();
    expect(notices.at(-1)).toEqual({ kind: 'state', place: 9, failures: 0 });
    await appliedOnce();
    expect(await rows()).toBe(0);
  });

  it('does not take for failed what another process applied meanwhile', async () => {
    const two = follower();
    let undone = 0;
    const one = follower({
      apply: () => Promise.reject(new Error('cannot be applied here')),
      transaction: async (work) => {
        try {
          return await transaction(work);
        } catch (error) {
          undone += 1;
          // The whole page failed first; this is between the attempt for the event alone and the record of its failure.
          if (undone > 1) await two.handle(log);
          throw error;
        }
      },
    });
    written(2);
    await one.turn();
    await two.handle(log);
    await two.turn();
    await appliedOnce();
    expect(notices.at(-1)).toEqual({ kind: 'state', place: 2, failures: 0 });
  });

  it('applies a page of the log while the bus brings the same events', async () => {
    const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    const [reached, go] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const reader = follower({
      apply: async (session, events) => {
        reached.resolve(undefined);
        await go.promise;
        await session.query({ name: 'effect', text: 'insert into sample.effect select unnest($1::uuid[])' }, [
          events.map(({ id }) => id),
        ]);
      },
    });
    written(3);
    const turned = reader.turn();
    await reached.promise;
    const heard = follower().handle(log);
    await expect.poll(async () => (await database.owner.query(blocked)).rowCount).toBe(1);
    go.resolve(undefined);
    await Promise.all([turned, heard]);
    await appliedOnce();
    expect(kinds()).toEqual(['caught_up']);
  });

  it('waits an outage out, however long: no event is taken for one that cannot be applied', async () => {
    const one = follower();
    written(3);
    outage = true;
    for (let n = 0; n < 5; n++) await expect(one.turn()).rejects.toThrow('the database is away');
    outage = false;
    await one.turn();
    await appliedOnce();
    expect(kinds()).toEqual(['caught_up']);
  });

  it('notices a log that was restored to an earlier state, and follows it from its beginning', async () => {
    const one = follower();
    await one.handle(written(10));
    await one.turn();
    const kept = log.slice(0, 6);
    log = [...kept];
    written(20);
    await database.owner.query('truncate sample.effect');
    await one.turn();
    await appliedOnce();
    expect(kinds()).toContain('other_log');
  });

  it('notices a restored log also where the bus brought events of the lost part', async () => {
    const one = follower();
    await one.handle(written(6));
    await one.turn();
    const kept = [...log];
    await one.handle(written(4).slice(6));
    await one.turn();
    log = kept;
    await one.handle(written(20).slice(6));
    expect(kinds()).toEqual(['other_log']);
    await database.owner.query('truncate sample.effect');
    await one.turn();
    await appliedOnce();
  });

  it('asks the log once about a place, however many events come again', async () => {
    const one = follower();
    await one.handle(written(10));
    await one.turn();
    const before = pages;
    for (let n = 0; n < 5; n++) await one.handle(log);
    expect(pages - before).toBe(1);
    await appliedOnce();
  });

  it('applies each event once under drops, repetitions and any order, with three at work', async () => {
    const random = new Random(seed);
    const all = [follower(), follower(), follower()];
    for (let round = 0; round < 25; round++) {
      written(1 + random.below(40));
      await Promise.all(
        all.map(async (one) => {
          const heard = log.filter(() => random.below(3) > 0).sort(() => random.below(3) - 1);
          if (heard.length > 0) await one.handle(heard);
          if (random.below(3) === 0) await one.turn();
        }),
      );
    }
    await all[0]!.turn();
    await all[0]!.turn();
    expect((await effects()).sort(), `seed ${seed}`).toEqual(log.map(({ id }) => id).sort());
    expect(await rows()).toBe(0);
  });
});
