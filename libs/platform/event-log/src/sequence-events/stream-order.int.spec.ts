import { randomUUID } from 'node:crypto';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import type pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sequencer, type SequencerAlarm } from '../index.js';
import { anEvent, append, LOG_MIGRATIONS, ROLE, SCHEMA, sequenced, until } from '../event-log.fixture.js';

let database: TestDatabase;
let alarms: SequencerAlarm[];
const used: TestDatabase[] = [];
const running: Sequencer[] = [];
const clients: pg.PoolClient[] = [];

beforeEach(async () => {
  database = await freshDatabase({ migrations: LOG_MIGRATIONS, poolSizes: { [ROLE]: 20 } });
  used.push(database);
  alarms = [];
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.release(true);
  for (const sequencer of running.splice(0)) await sequencer.stop();
});

afterAll(async () => {
  for (const each of used) await each.drop();
});

/** Open transactions of other spec files, in other databases of this server, hold this log back as well. */
const LONGER_THAN_OTHERS_MS = 10_000;

function startSequencer(alarmMs = 200): void {
  const sequencer = new Sequencer({
    pool: database.pool(ROLE),
    schema: SCHEMA,
    netMs: 10,
    alarmMs,
    onAlarm: (alarm) => alarms.push(alarm),
  });
  running.push(sequencer);
  sequencer.start();
}

/** A session inside a transaction, without time-outs, because the machine may delay this process. */
async function transaction(): Promise<pg.PoolClient> {
  const client = await database.pool(ROLE).connect();
  clients.push(client);
  await client.query('set lock_timeout = 0; set idle_in_transaction_session_timeout = 0');
  await client.query('begin');
  return client;
}

async function versionsOf(streamId: string): Promise<readonly number[]> {
  return (await sequenced(database.pool(ROLE)))
    .filter((event) => event.streamId === streamId)
    .map(({ version }) => version);
}

async function inversions(): Promise<number> {
  const { rows } = await database.owner.query<{ n: number }>(
    `select count(*)::int as n from log.event e join log.event p on p.stream_id = e.stream_id and p.version = e.version - 1
      where (p.txid, p.position) > (e.txid, e.position)`,
  );
  return rows[0]?.n ?? -1;
}

async function waitsForLock(pid: number): Promise<boolean> {
  const { rows } = await database.owner.query(
    `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`,
    [pid],
  );
  return rows.length === 1;
}

async function pidOf(client: pg.PoolClient): Promise<number> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
}

describe('the order of a stream', () => {
  it('is that of its versions, although the later version’s transaction took its id first', async () => {
    const stream = randomUUID();
    const early = await transaction();
    await early.query('insert into log.head values ($1, 0)', [randomUUID()]);
    await append(database.pool(ROLE), anEvent(stream, 1));
    await append(early, anEvent(stream, 2));
    await early.query('commit');
    expect(await inversions()).toBe(1);
    startSequencer(LONGER_THAN_OTHERS_MS);
    await until('both are sequenced', async () => (await versionsOf(stream)).length === 2);
    expect(await versionsOf(stream)).toEqual([1, 2]);
    expect(alarms).toEqual([]);
  });

  it('holds a version that came before its predecessor was there, together with all that follow it, and nobody else', async () => {
    const [stream, other] = [randomUUID(), randomUUID()];
    startSequencer();
    await append(database.pool(ROLE), anEvent(stream, 1));
    const late = await transaction();
    await append(database.pool(ROLE), anEvent(stream, 3));
    await append(database.pool(ROLE), anEvent(stream, 4));
    await append(database.pool(ROLE), anEvent(other, 1));
    await until('others go on', async () => (await versionsOf(other)).length === 1);
    expect(await versionsOf(stream)).toEqual([1]);
    await until('the alarm names what is held', () =>
      alarms.some((alarm) => alarm.kind === 'held' && alarm.events === 2),
    );
    await append(late, anEvent(stream, 2));
    await late.query('commit');
    await append(database.pool(ROLE), anEvent(stream, 5));
    await until('all follow', async () => (await versionsOf(stream)).length === 5);
    expect(await versionsOf(stream)).toEqual([1, 2, 3, 4, 5]);
    expect((await database.owner.query('select * from log.event_held')).rowCount).toBe(0);
  });

  it('never skips a version that does not come', async () => {
    const stream = randomUUID();
    startSequencer();
    await append(database.pool(ROLE), anEvent(stream, 2), anEvent(randomUUID(), 1));
    const held = (): SequencerAlarm[] => alarms.filter(({ kind }) => kind === 'held');
    await until('it is said', () => held().length > 1);
    expect(held()[0]).toMatchObject({ events: 1 });
    expect(await versionsOf(stream)).toEqual([]);
  });

  it('is also that of transaction ids where each writer takes the stream’s advisory lock before it writes anything', async () => {
    const stream = randomUUID();
    const writers = Array.from({ length: 12 }, async () => {
      const client = await transaction();
      await client.query('commit');
      for (let i = 0; i < 15; i++) {
        await client.query('begin');
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [stream]);
        const { rows } = await client.query<{ next: number }>(
          'select coalesce(max(version), 0) + 1 as next from log.event where stream_id = $1',
          [stream],
        );
        await append(client, anEvent(stream, rows[0]?.next ?? 0));
        await client.query('commit');
      }
    });
    await Promise.all(writers);
    expect(await inversions()).toBe(0);
  });

  it('lets a writer wait for a row lock without an id of its own while only one other writer is there', async () => {
    const stream = randomUUID();
    await database.pool(ROLE).query('insert into log.head values ($1, 0)', [stream]);
    const [first, second] = [await transaction(), await transaction()];
    const lock = 'select version from log.head where stream_id = $1 for update';
    const pid = await pidOf(second);
    await first.query(lock, [stream]);
    const waiting = second.query(lock, [stream]);
    await until('the second waits', async () => await waitsForLock(pid));
    await append(first, anEvent(stream, 1));
    await first.query('commit');
    await waiting;
    await append(second, anEvent(stream, 2));
    await second.query('commit');
    expect(await inversions()).toBe(0);
  });

  it('may differ from that of transaction ids where a writer locks two rows; the sequencer puts it right', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await database.pool(ROLE).query('insert into log.head values ($1, 0), ($2, 0)', [one, two]);
    const both = await transaction();
    const single = await transaction();
    const lock = 'select version from log.head where stream_id = $1 for update';
    const pid = await pidOf(both);
    await both.query(lock, [one]);
    await single.query(lock, [two]);
    const waiting = both.query(lock, [two]);
    await until('it waits for the second row', async () => await waitsForLock(pid));
    await append(single, anEvent(two, 1));
    await single.query('commit');
    await waiting;
    await append(both, anEvent(one, 1), anEvent(two, 2));
    await both.query('commit');
    expect(await inversions()).toBe(1);
    startSequencer();
    await until('all are sequenced', async () => (await sequenced(database.pool(ROLE))).length === 3);
    expect(await versionsOf(two)).toEqual([1, 2]);
  });
});

describe('an open transaction', () => {
  it('that only reads does not keep the log back', async () => {
    const reader = await transaction();
    await reader.query('set transaction isolation level repeatable read, read only');
    await reader.query('select count(*) from log.event');
    const stream = randomUUID();
    startSequencer(LONGER_THAN_OTHERS_MS);
    await append(database.pool(ROLE), anEvent(stream, 1));
    await until('it is sequenced', async () => (await versionsOf(stream)).length === 1);
    expect(alarms).toEqual([]);
  });

  it('that wrote something keeps the log back, is named by the alarm, and nothing is skipped', async () => {
    const writer = await transaction();
    await writer.query(`set application_name = 'forgetful'`);
    await writer.query('insert into log.head values ($1, 0)', [randomUUID()]);
    const stream = randomUUID();
    startSequencer();
    await append(database.pool(ROLE), anEvent(stream, 1));
    await until('the alarm tells who', () =>
      alarms.some(
        (alarm) => alarm.kind === 'stalled' && alarm.oldestTransaction?.includes('forgetful') && alarm.waitingMs >= 200,
      ),
    );
    expect(await versionsOf(stream)).toEqual([]);
    await writer.query('commit');
    await until('it is sequenced', async () => (await versionsOf(stream)).length === 1);
  });
});
