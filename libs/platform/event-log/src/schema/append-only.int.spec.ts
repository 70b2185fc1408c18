import { randomUUID } from 'node:crypto';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_EVENT_BYTES, readFrom, readStream, Sequencer, verifyLog } from '../index.js';
import type { NewEvent } from '../append-events.fixture.js';
import {
  anEvent,
  append,
  idInFirstPartition,
  idInLastPartition,
  LOG_MIGRATIONS,
  ROLE,
  SCHEMA,
  sequenced,
  until,
} from '../event-log.fixture.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase({ migrations: LOG_MIGRATIONS });
});

afterAll(async () => {
  await database.drop();
});

describe('the service role', () => {
  it.each([
    'update log.event set version = version',
    'delete from log.event',
    'truncate log.event',
    'alter table log.event disable trigger all',
    'insert into log.event_seq (seq) values (1)',
    'update log.seq_cursor set seq = seq',
    'delete from log.event_held',
    `update log.relay_cursor set seq = seq`,
    `insert into log.event (txid) values ('1')`,
    'insert into log.event (position) overriding system value values (1)',
    `select log.order_by_version(null, null, null)`,
    `select log.order_events(null, null, null, null)`,
    'select from log.event_first',
    `insert into log.event_first (event_id) values (gen_random_uuid())`,
    'create table log.event_mine partition of log.event default',
    'alter table log.event detach partition log.event_first',
  ])('cannot: %s', async (statement) => {
    await expect(database.pool(ROLE).query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it.each([
    'update log.event set version = version',
    'delete from log.event',
    'truncate log.event',
    'delete from log.event_seq',
    'update log.event_first set version = version',
    'delete from log.event_first',
    'truncate log.event_first',
  ])('is not alone in that, the owner neither: %s', async (statement) => {
    const stream = idInFirstPartition();
    await append(database.pool(ROLE), anEvent(stream, 1));
    const sequencer = new Sequencer({ pool: database.pool(ROLE), schema: SCHEMA });
    sequencer.start();
    await until('it has its number', async () =>
      (await sequenced(database.pool(ROLE))).some(({ streamId }) => streamId === stream),
    );
    await sequencer.stop();
    await expect(database.owner.query(statement)).rejects.toThrow('is append-only');
  });
});

describe('an append', () => {
  it('of a version that the stream has is refused by a constraint of its partition', async () => {
    for (const [stream, constraint] of [
      [idInFirstPartition(), /^event_stream_id_version_key$/],
      [idInLastPartition(), /^event_\d+_\d+_version$/],
    ] as const) {
      await append(database.pool(ROLE), anEvent(stream, 1));
      await expect(append(database.pool(ROLE), anEvent(stream, 1))).rejects.toMatchObject({
        code: '23505',
        constraint: expect.stringMatching(constraint) as string,
      });
    }
  });

  it.each([
    ['the first partition', idInFirstPartition],
    ['a later partition', idInLastPartition],
  ])('of a second terminal event, a known event id or worker sequence is refused in %s', async (_, anId) => {
    const stream = anId();
    const first = anEvent(stream, 1, { isTerminal: true, fence: 1, workerSeq: 7 });
    await append(database.pool(ROLE), first);
    const refused: readonly (readonly [NewEvent, RegExp])[] = [
      [anEvent(stream, 2, { isTerminal: true }), /^event_(\d+_\d+_)?one_terminal$/],
      [anEvent(stream, 2, { eventId: first.eventId }), /^event_event_id_key$|^event_\d+_\d+_event_id$/],
      [anEvent(stream, 2, { fence: 1, workerSeq: 7 }), /^event_(\d+_\d+_)?once_per_worker_seq$/],
    ];
    for (const [event, constraint] of refused) {
      await expect(append(database.pool(ROLE), event)).rejects.toMatchObject({
        code: '23505',
        constraint: expect.stringMatching(constraint) as string,
      });
    }
    await append(database.pool(ROLE), anEvent(stream, 2, { fence: 2, workerSeq: 7 }));
  });

  it('of a malformed event is refused', async () => {
    const malformed: readonly Partial<NewEvent>[] = [
      { version: 0 },
      { type: 'not a name' },
      { schemaVersion: 0 },
      { fence: -1 },
      { fence: null, workerSeq: 1 },
      { correlationId: '' },
      { correlationId: 'x'.repeat(201) },
      { data: Buffer.alloc(1) },
      { data: Buffer.alloc(MAX_EVENT_BYTES + 1) },
    ];
    for (const changes of malformed) {
      await expect(
        append(database.pool(ROLE), anEvent(randomUUID(), 1, changes)),
        JSON.stringify(changes),
      ).rejects.toMatchObject({ code: '23514' });
    }
    await append(database.pool(ROLE), anEvent(randomUUID(), 1, { data: Buffer.alloc(MAX_EVENT_BYTES) }));
  });

  it('gives back by reading what was appended', async () => {
    const stream = randomUUID();
    const recordedAt = '2031-02-03T04:05:06.789Z';
    const events = [
      anEvent(stream, 1, { recordedAt, correlationId: 'req-1', data: Buffer.from('{"text":"\u00e9\\u0000"}') }),
      anEvent(stream, 2, { recordedAt, fence: 3, workerSeq: 4, isTerminal: true, causationId: randomUUID() }),
    ];
    await append(database.pool(ROLE), ...events);
    expect(await readStream(database.pool(ROLE), SCHEMA, stream)).toEqual(events);
    expect(await readStream(database.pool(ROLE), SCHEMA, stream, 1)).toEqual(events.slice(1));
  });

  it('is recorded at the database’s time, to the millisecond', async () => {
    const stream = randomUUID();
    const before = Date.now();
    await append(database.pool(ROLE), anEvent(stream, 1));
    const after = Date.now();
    const [event] = await readStream(database.pool(ROLE), SCHEMA, stream);
    const recordedAt = Date.parse(event?.recordedAt ?? '');
    expect(recordedAt).toBeGreaterThan(before - 1_000);
    expect(recordedAt).toBeLessThan(after + 1_000);
  });
});

describe('the hash chain', () => {
  let chained: TestDatabase;
  const streams = Array.from({ length: 5 }, () => randomUUID());

  beforeEach(async () => {
    chained = await freshDatabase({ migrations: LOG_MIGRATIONS });
    for (let version = 1; version <= 4; version++) {
      await append(
        chained.pool(ROLE),
        ...streams.map((stream) =>
          anEvent(stream, version, { correlationId: 'req', fence: version, workerSeq: version }),
        ),
      );
    }
    const sequencer = new Sequencer({ pool: chained.pool(ROLE), schema: SCHEMA });
    sequencer.start();
    await until('all are sequenced', async () => (await sequenced(chained.pool(ROLE))).length === 20);
    await sequencer.stop();
    return async () => await chained.drop();
  });

  async function tamper(sql: string): Promise<void> {
    await chained.owner.query(
      `alter table log.event disable trigger all; alter table log.event_seq disable trigger all; ${sql}`,
    );
  }

  it('is as the verifier computes it by itself, from the first event on', async () => {
    expect(await verifyLog(chained.pool(ROLE), SCHEMA)).toMatchObject({ events: 20n, faults: [] });
    const [first] = await readFrom(chained.pool(ROLE), SCHEMA, 0n, 1);
    expect(first).toMatchObject({ seq: 1n, epoch: 1n, version: 1 });
  });

  it.each([
    `data = '{"version": 9}'`,
    `account_id = gen_random_uuid()`,
    `recorded_at = recorded_at + interval '1 millisecond'`,
    `type = 'OtherHappened'`,
    `correlation_id = null`,
    `worker_seq = 99`,
    `is_terminal = true`,
    `event_id = gen_random_uuid()`,
  ])('shows that an event was changed: %s', async (change) => {
    await tamper(`update log.event set ${change} where position = 8`);
    expect((await verifyLog(chained.pool(ROLE), SCHEMA)).faults[0]).toMatchObject({ seq: 8n, fault: 'hash' });
  });

  it.each([8, 20])('shows that event %i was removed', async (position) => {
    await tamper(`delete from log.event where position = ${position}`);
    expect((await verifyLog(chained.pool(ROLE), SCHEMA)).faults[0]).toMatchObject({
      seq: BigInt(position),
      fault: 'gap',
    });
  });

  it('shows that an event and its number were removed', async () => {
    await tamper('delete from log.event where position = 8; delete from log.event_seq where position = 8');
    expect((await verifyLog(chained.pool(ROLE), SCHEMA)).faults[0]).toMatchObject({ seq: 8n, fault: 'gap' });
  });

  it('shows that two events were exchanged', async () => {
    await tamper(`update log.event_seq set position = -position where position in (8, 9);
                  update log.event_seq set position = 17 + position where position < 0;
                  update log.event_seq s set stream_id = e.stream_id from log.event e where e.position = s.position`);
    expect((await verifyLog(chained.pool(ROLE), SCHEMA)).faults[0]).toMatchObject({ seq: 8n, fault: 'hash' });
  });
});
