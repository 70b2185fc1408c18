import type { JobMessage } from '@heddle/contracts-messages';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { BusMessage } from '@heddle/platform-message-bus';
import type { InboxSession, InboxStatement } from '@heddle/platform-message-bus/follow-log';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messagesOf, sampleLog } from '../sample-log.fixture.js';
import { ProjectionConsumer } from './projection-consumer.js';
import type { ProjectionOptions, StoredLog } from './projection-consumer.js';
import { projectionTablesSql } from './projection-tables.sql.js';

const [SCHEMA, ROLE] = ['sample', 'heddle_sample'];
const TABLE = `create table sample.seen (at bigint generated always as identity, job_id uuid, version int, status text);
  grant select, insert, delete on sample.seen to ${ROLE};`;
const MIGRATIONS = {
  schema: SCHEMA,
  role: ROLE,
  migrations: [
    { name: '0001-projection', up: projectionTablesSql(SCHEMA, ROLE) },
    { name: '0002-seen', up: TABLE },
  ],
};

class PgSession implements InboxSession {
  constructor(private readonly client: pg.PoolClient) {}

  async query<Row extends object>(statement: InboxStatement, values: readonly unknown[]): Promise<Row[]> {
    return (await this.client.query<Row & pg.QueryResultRow>({ ...statement, values: [...values] })).rows;
  }
}

describe(`a consumer of a projection (seed ${seed})`, () => {
  let database: TestDatabase;
  let random: () => number;
  let log: NumberedEvent[];
  let messages: BusMessage[];
  /** A transaction fails at its commit with this probability, as that of a process that is killed. */
  let dying: number;

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [MIGRATIONS] });
  });
  afterAll(async () => {
    await database.drop();
  });
  beforeEach(async () => {
    await database.owner.query(
      'truncate sample.seen, sample.inbox, sample.inbox_place, sample.folded_job, sample.early_message',
    );
    random = seeded(seed);
    log = sampleLog(random, 60);
    messages = messagesOf(log);
    dying = 0;
  });

  async function transaction<T>(work: (session: PgSession) => Promise<T>): Promise<T> {
    const client = await database.pool(ROLE).connect();
    try {
      await client.query('begin');
      const value = await work(new PgSession(client));
      if (random() < dying) throw new Error('killed');
      await client.query('commit');
      return value;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  const consumer = (more: Partial<ProjectionOptions<PgSession>> = {}): ProjectionConsumer<PgSession> =>
    new ProjectionConsumer({
      schema: SCHEMA,
      transaction,
      fold: async (session, folded) => {
        const insert =
          'insert into sample.seen (job_id, version, status) select * from unnest($1::uuid[], $2::int[], $3::text[])';
        const columns = [folded.map((m) => m.jobId), folded.map((m) => m.version), folded.map((m) => m.status)];
        await session.query({ name: 'seen', text: insert }, columns);
      },
      ...more,
    });

  /** What every consumer must have folded: of each job each version once, in order, with its status. */
  async function foldedAll(from = 1): Promise<void> {
    const { rows } = await database.owner.query<{ job_id: string; seen: string[] }>(
      `select job_id, array_agg(version || ' ' || status order by at) as seen from sample.seen group by job_id`,
    );
    const wanted = new Map<string, string[]>();
    for (const { payload } of messages.slice(from - 1)) {
      const { jobId, version, status } = payload as JobMessage;
      wanted.set(jobId, [...(wanted.get(jobId) ?? []), `${version} ${status}`]);
    }
    expect(new Map(rows.map((row) => [row.job_id, row.seen]))).toEqual(wanted);
  }
  const count = async (table: string): Promise<number> =>
    Number((await database.owner.query<{ n: string }>(`select count(*) as n from sample.${table}`)).rows[0]!.n);
  const stored = (events = log, firstSeq = 1): StoredLog => ({
    firstSeq,
    events: async function* (after) {
      const behind = events.filter(({ seq }) => seq! > after);
      for (let at = 0; at < behind.length; at += 50) yield await Promise.resolve(behind.slice(at, at + 50));
    },
  });

  it('folds each version of each job once and in order, whatever is repeated, late or killed', async () => {
    dying = 0.2;
    const [one, two] = [consumer(), consumer()];
    const partitions = [0, 1, 2].map((p) => messages.filter(({ key }) => parseInt(key.slice(0, 4), 16) % 3 === p));
    const places = [0, 0, 0];
    while (partitions.some((partition, p) => places[p]! < partition.length)) {
      const p = Math.floor(random() * 3);
      const size = 1 + Math.floor(random() * 30);
      const batch = partitions[p]!.slice(places[p], places[p]! + size);
      const taken = await (random() < 0.5 ? one : two).handle(batch).then(
        () => true,
        () => false,
      );
      if (!taken) continue;
      // A crash before the offsets were committed, or a replay, goes back by any number of messages.
      places[p] = random() < 0.25 ? Math.floor(random() * places[p]!) : places[p]! + batch.length;
    }
    dying = 0;
    await foldedAll();
    expect(await one.hole()).toBeNull();
    expect(await one.place()).toEqual({ seq: log.length, eventId: log.at(-1)!.eventId });
    expect([await count('inbox'), await count('early_message')]).toEqual([0, 0]);
  });

  it('knows the jobs that are not purged, and no others', async () => {
    await consumer().handle(messages);
    const purged = new Set(log.filter(({ type }) => type === 'JobPurged').map(({ streamId }) => streamId));
    expect(purged.size).toBeGreaterThan(0);
    expect(await count('folded_job')).toBe(60 - purged.size);
    await consumer().handle(messages);
    await foldedAll();
  });

  it('names a hole, lets later messages of its jobs wait, and folds them when a replay brings the rest', async () => {
    const one = consumer();
    const lost = messages.slice(20, 40);
    await one.handle(messages.slice(0, 20));
    await one.handle(messages.slice(40));
    expect(await one.hole()).toEqual({ from: 21, to: 40 });
    expect((await one.place()).seq).toBe(20);
    expect(await count('early_message')).toBeGreaterThan(0);
    // In any order: another number of partitions does not keep it.
    for (const message of [...lost].sort(() => random() - 0.5)) await one.handle([message]);
    await foldedAll();
    expect(await one.hole()).toBeNull();
    expect(await count('early_message')).toBe(0);
  });

  it('refuses to go far beyond a hole, says what fills it, and goes on from an export', async () => {
    const one = consumer({ maxAhead: 30 });
    await one.handle(messages.slice(0, 10));
    await one.handle(messages.slice(20, 30));
    const refused = one.handle(messages.slice(60, 70));
    await expect(refused).rejects.toThrow('job events 11 to 20 are missing');
    await expect(refused).rejects.toThrow('heddle history replay --from-seq 11 --to-seq 20');
    expect((await one.catchUp(stored(log.slice(0, 50)))).seq).toBe(50);
    await one.handle(messages.slice(40));
    await foldedAll();
  });

  it('gives an export and the topic the same meaning: statuses are derived, repetitions dropped', async () => {
    const one = consumer();
    await one.catchUp(stored());
    await foldedAll();
    await one.handle(messages);
    await one.catchUp(stored());
    await foldedAll();
  });

  it('begins where an aged log begins, and leaves out jobs whose first events are gone', async () => {
    const first = 40;
    const left = new Set(log.slice(0, first - 1).map(({ streamId }) => streamId));
    await consumer().catchUp(stored(log.slice(first - 1), first));
    messages = messages.filter(({ key }) => !left.has(key));
    await foldedAll();
    expect([await count('early_message'), (await consumer().place()).seq]).toEqual([0, log.length]);
  });

  it('refuses a log that has aged beyond its place, and the topic or an export of another log', async () => {
    const one = consumer();
    await one.handle(messages.slice(0, 10));
    await expect(one.catchUp(stored(log.slice(19), 20))).rejects.toThrow('job events 11 to 19 are missing');
    const other = { ...messages[9]!, id: messages[0]!.id };
    await expect(one.handle([other])).rejects.toThrow('a database was restored');
    const restored = log.map((event) => (event.seq === 10n ? { ...event, eventId: log[0]!.eventId } : event));
    await expect(one.catchUp(stored(restored))).rejects.toThrow('a database was restored');
    expect(await one.place()).toMatchObject({ seq: 10 });
  });

  it('refuses a message without its place, and an event that this build cannot read', async () => {
    await expect(consumer().handle([{ ...messages[0]!, headers: {} }])).rejects.toThrow('no header seq');
    const newer = { ...log[0]!, schemaVersion: 99 };
    await expect(consumer().catchUp(stored([newer]))).rejects.toThrow('this build reads up to');
    expect(await count('seen')).toBe(0);
  });
});
