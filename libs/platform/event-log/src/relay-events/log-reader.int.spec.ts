import { randomUUID } from 'node:crypto';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogReader, Sequencer, type LogReaderOptions, type SequencedEvent } from '../index.js';
import { anEvent, append, LOG_MIGRATIONS, ROLE, SCHEMA, until } from '../event-log.fixture.js';

let database: TestDatabase;
let sequencer: Sequencer;
let wake: () => void;
const used: TestDatabase[] = [];
const readers: LogReader[] = [];

beforeEach(async () => {
  database = await freshDatabase({ migrations: LOG_MIGRATIONS, poolSizes: { [ROLE]: 12 } });
  used.push(database);
  wake = () => undefined;
  sequencer = new Sequencer({
    pool: database.pool(ROLE),
    schema: SCHEMA,
    netMs: 20,
    onTurn: (turn) => turn.count > 0 && wake(),
  });
  sequencer.start();
});

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.stop();
  await sequencer.stop();
});

afterAll(async () => {
  for (const each of used) await each.drop();
});

function startReader(handle: LogReaderOptions['handle'], options: Partial<LogReaderOptions> = {}): LogReader {
  const reader = new LogReader({
    pool: database.pool(ROLE),
    schema: SCHEMA,
    consumer: 'sample',
    netMs: 20,
    handle,
    ...options,
  });
  readers.push(reader);
  reader.start();
  return reader;
}

async function fill(count: number): Promise<void> {
  await append(database.pool(ROLE), ...Array.from({ length: count }, () => anEvent(randomUUID(), 1)));
  sequencer.nudge();
}

async function cursor(): Promise<number> {
  const { rows } = await database
    .pool(ROLE)
    .query<{ seq: string }>(`select seq from log.relay_cursor where consumer = 'sample'`);
  return Number(rows[0]?.seq ?? 0);
}

/** Long enough that a slow machine never loses the lease. */
const LONG_LEASE = { leaseMs: 60_000 };
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

function collector(): { readonly seqs: number[]; readonly handle: LogReaderOptions['handle'] } {
  const seqs: number[] = [];
  return {
    seqs,
    handle: (events) => {
      seqs.push(...events.map(({ seq }) => Number(seq)));
      return Promise.resolve();
    },
  };
}

describe('a log reader', () => {
  it('delivers every event once, in order, and goes on where it stopped', async () => {
    const first = collector();
    const reader = startReader(first.handle, { batchSize: 7 });
    await fill(50);
    await until('50 are delivered', async () => (await cursor()) === 50);
    await reader.stop();
    await fill(30);
    const second = collector();
    startReader(second.handle);
    await until('80 are delivered', async () => (await cursor()) === 80);
    expect([...first.seqs, ...second.seqs]).toEqual(upTo(80));
  });

  it('is woken by the sequencer, long before it would look by itself', async () => {
    const { seqs, handle } = collector();
    const reader = startReader(handle, { netMs: 60_000, leaseMs: 100_000 });
    wake = () => reader.nudge();
    await fill(1);
    await until('it is delivered', () => seqs.length === 1);
  });

  it('moves its cursor only after the handler resolved, and sends the same events again when it threw', async () => {
    await fill(3);
    const tries: number[][] = [];
    const errors: unknown[] = [];
    startReader(
      async (events) => {
        tries.push(events.map(({ seq }) => Number(seq)));
        expect(await cursor()).toBe(0);
        if (tries.length < 3) throw new Error(`try ${tries.length}`);
      },
      { onError: (error) => errors.push(error) },
    );
    await until('it got through', async () => (await cursor()) === 3);
    expect(tries.slice(-3)).toEqual([upTo(3), upTo(3), upTo(3)]);
    expect(errors.map(String)).toEqual(['Error: try 1', 'Error: try 2']);
  });

  it('works alone under its name, and hands over at once when it is stopped', async () => {
    const [one, two] = [collector(), collector()];
    const first = startReader(one.handle, LONG_LEASE);
    await fill(5);
    await until('the first works', () => one.seqs.length === 5);
    const second = startReader(two.handle, LONG_LEASE);
    await until('the second looked', () => second.leader !== null);
    await fill(5);
    await until('the first goes on', () => one.seqs.length === 10);
    expect(two.seqs).toEqual([]);
    await first.stop();
    await fill(5);
    await until('the second took over', () => two.seqs.length === 5);
    expect([...one.seqs, ...two.seqs]).toEqual(upTo(15));
  });

  it('keeps its lease while a handler takes longer than the lease', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    await fill(1);
    const leaseMs = 2_000;
    startReader(async () => await finished, { leaseMs });
    const leaseUntil = async (): Promise<number> => {
      const { rows } = await database.owner.query<{ lease_until: Date }>(
        'select lease_until from log.relay_cursor where epoch = 1',
      );
      return Number(rows[0]?.lease_until);
    };
    await until('the first holds it', async () => (await leaseUntil()) > 0);
    const first = await leaseUntil();
    await until('the lease was renewed beyond its first end', async () => (await leaseUntil()) > first + leaseMs);
    // Started only now, just after a renewal: a slow machine may delay both for longer than a lease.
    const other = collector();
    const second = startReader(other.handle, { leaseMs });
    await until('the other looked', () => second.leader !== null);
    finish();
    await until('it is done', async () => (await cursor()) === 1);
    expect(other.seqs).toEqual([]);
  });

  it('moves nothing after it lost its lease, and the successor delivers again what was not confirmed', async () => {
    await fill(2);
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const delivered: SequencedEvent[] = [];
    const frozen = startReader(async (events) => {
      delivered.push(...events);
      await finished;
    }, LONG_LEASE);
    await until('it delivers', () => delivered.length === 2);
    const successor = collector();
    const taken = startReader(successor.handle, { ...LONG_LEASE, takeOver: true });
    await until('the successor delivered', async () => (await cursor()) === 2);
    await taken.stop();
    await database.owner.query(
      `update log.relay_cursor set seq = 0, holder = 'another', lease_until = heddle.clock_now() + interval '1 minute'`,
    );
    finish();
    await frozen.stop();
    expect(await cursor()).toBe(0);
    expect(successor.seqs).toEqual([1, 2]);
  });

  it('has a cursor of its own for each name', async () => {
    const [one, two] = [collector(), collector()];
    startReader(one.handle, { consumer: 'one' });
    startReader(two.handle, { consumer: 'two' });
    await fill(4);
    await until('both have all', () => one.seqs.length === 4 && two.seqs.length === 4);
  });
});
