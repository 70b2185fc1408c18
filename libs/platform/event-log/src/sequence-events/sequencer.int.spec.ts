import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Sequencer, verifyLog, type SequencerOptions, type SequencerTurn } from '../index.js';
import {
  anEvent,
  append,
  LOG_MIGRATIONS,
  ROLE,
  SCHEMA,
  sequenced,
  sequencerProcess,
  until,
} from '../event-log.fixture.js';

/** A lease that no test outlives: a second holder was either given the lease or took it. */
const LONG_LEASE_MS = 60_000;

let database: TestDatabase;
const running: Sequencer[] = [];
const children: ChildProcess[] = [];
const used: TestDatabase[] = [];

beforeEach(async () => {
  database = await freshDatabase({ migrations: LOG_MIGRATIONS, poolSizes: { [ROLE]: 34 } });
  used.push(database);
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const sequencer of running.splice(0)) await sequencer.stop();
});

afterAll(async () => {
  for (const each of used) await each.drop();
});

function startSequencer(options: Partial<SequencerOptions> = {}): Sequencer {
  const sequencer = new Sequencer({ pool: database.pool(ROLE), schema: SCHEMA, ...options });
  running.push(sequencer);
  sequencer.start();
  return sequencer;
}

function startProcess(leaseMs: number, netMs: number, name: string = randomUUID()): ChildProcess {
  const child = sequencerProcess(database.database.roleUrl(ROLE), name, leaseMs, netMs);
  children.push(child);
  return child;
}

async function count(): Promise<number> {
  const { rows } = await database.pool(ROLE).query<{ seq: string }>('select seq from log.seq_cursor');
  return Number(rows[0]?.seq);
}

async function holder(): Promise<string> {
  const { rows } = await database.pool(ROLE).query<{ holder: string }>('select holder from log.seq_cursor');
  return rows[0]?.holder ?? '';
}

async function epoch(): Promise<number> {
  const { rows } = await database.pool(ROLE).query<{ epoch: string }>('select epoch from log.seq_cursor');
  return Number(rows[0]?.epoch);
}

/** One writer transaction as services run it: lock the stream's row, then append; some roll back. */
async function write(random: () => number, streams: readonly string[]): Promise<boolean> {
  const client = await database.pool(ROLE).connect();
  const streamId = random() < 0.3 ? randomUUID() : (streams[Math.floor(random() * streams.length)] ?? randomUUID());
  try {
    // The machine may delay this process while it holds a row lock that others wait for.
    await client.query('begin; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query('insert into log.head values ($1, 0) on conflict do nothing', [streamId]);
    await client.query('commit; begin');
    const { rows } = await client.query<{ version: number }>(
      'select version from log.head where stream_id = $1 for update',
      [streamId],
    );
    const version = (rows[0]?.version ?? 0) + 1;
    await append(client, anEvent(streamId, version));
    await client.query('update log.head set version = $2 where stream_id = $1', [streamId, version]);
    const keep = random() < 0.8;
    await client.query(keep ? 'commit' : 'rollback');
    return keep;
  } finally {
    client.release();
  }
}

describe('the sequencer', () => {
  it(
    'loses, doubles and reorders nothing with 30 writers that roll back, one sequencer killed and one frozen',
    { timeout: 180_000 },
    async () => {
      const random = seeded(seed);
      const streams = Array.from({ length: 12 }, () => randomUUID());
      let committed = 0;
      let over = false;
      const processes = new Map(['one', 'two'].map((name) => [name, startProcess(600, 100, name)]));
      await until('one of them leads', async () => processes.has(await holder()));
      const writers = Promise.allSettled(
        Array.from({ length: 30 }, async () => {
          while (!over) if (await write(random, streams)) committed++;
        }),
      );
      const more = async (): Promise<void> => {
        const goal = committed + 200;
        await until('the log goes on', async () => (await count()) >= goal, 30_000);
      };
      try {
        await more();
        const killed = await holder();
        processes.get(killed)?.kill('SIGKILL');
        await until('the killed one is replaced', async () => (await holder()) !== killed);
        await more();
        const frozen = await holder();
        processes.get(frozen)?.kill('SIGSTOP');
        startSequencer({ leaseMs: 600, netMs: 100 });
        await until('the frozen one is replaced', async () => (await holder()) !== frozen);
        await more();
        processes.get(frozen)?.kill('SIGCONT');
        await more();
      } finally {
        over = true;
        await writers;
      }
      await until(`all ${committed} are sequenced, seed ${seed}`, async () => (await count()) === committed, 30_000);

      const order = await sequenced(database.pool(ROLE));
      expect(
        order.map(({ seq }) => seq),
        `seed ${seed}`,
      ).toEqual(Array.from({ length: committed }, (_, i) => i + 1));
      const versions = new Map<string, number>();
      for (const { streamId, version } of order) {
        expect(version, `seed ${seed}`).toBe((versions.get(streamId) ?? 0) + 1);
        versions.set(streamId, version);
      }
      // A sequencer that was delayed for longer than its lease was replaced as well.
      expect(new Set(order.map((event) => event.epoch)).size).toBeGreaterThanOrEqual(3);
      expect(order.map((event) => event.epoch)).toEqual(order.map((event) => event.epoch).sort((a, b) => a - b));
      expect(await verifyLog(database.pool(ROLE), SCHEMA)).toMatchObject({ events: BigInt(committed), faults: [] });
    },
  );

  it('waits longer for a batch of a busy log', async () => {
    const turns: number[] = [];
    const write = async (): Promise<void> => await append(database.pool(ROLE), anEvent(randomUUID(), 1));
    // One transaction: an open transaction of another spec file's database could fall between several.
    await append(database.pool(ROLE), ...Array.from({ length: 20 }, () => anEvent(randomUUID(), 1)));
    const onTurn = (turn: SequencerTurn): void => void (turn.count > 0 && turns.push(turn.count));
    const sequencer = startSequencer({ busyBatchWaitMs: 3_000, netMs: 60_000, leaseMs: 100_000, onTurn });
    await until('they have numbers', () => turns.length === 1);
    for (let n = 0; n < 5; n++) {
      await write();
      sequencer.nudge();
    }
    await until('all have numbers', async () => (await count()) === 25);
    expect(turns).toEqual([20, 5]);
  });

  it('is replaced within 5 s when it is frozen, with the default lease', async () => {
    const frozen = startProcess(2_000, 500);
    await until('it leads', async () => (await epoch()) === 1);
    frozen.kill('SIGSTOP');
    const since = Date.now();
    startSequencer();
    await append(database.pool(ROLE), anEvent(randomUUID(), 1));
    await until('another took over', async () => (await count()) === 1);
    expect(Date.now() - since).toBeLessThan(5_000);
  });

  it('hands over at once when it is stopped', async () => {
    const leader = startSequencer({ leaseMs: LONG_LEASE_MS });
    await until('it leads', async () => (await epoch()) === 1);
    startSequencer({ leaseMs: LONG_LEASE_MS, netMs: 20 });
    await leader.stop();
    await append(database.pool(ROLE), anEvent(randomUUID(), 1));
    await until('the other took over', async () => (await count()) === 1);
  });

  it('takes a killed predecessor’s lease at once where it is told that it is alone', async () => {
    const killed = startProcess(LONG_LEASE_MS, 500);
    await until('it leads', async () => (await epoch()) === 1);
    killed.kill('SIGKILL');
    startSequencer({ leaseMs: LONG_LEASE_MS, takeOver: true });
    await append(database.pool(ROLE), anEvent(randomUUID(), 1));
    await until('it goes on', async () => (await count()) === 1);
  });

  it('lets one of two work, and the other only watch', async () => {
    const turns: Record<'one' | 'two', SequencerTurn[]> = { one: [], two: [] };
    const one = startSequencer({ leaseMs: LONG_LEASE_MS, onTurn: (turn) => turns.one.push(turn) });
    await until('one leads', () => turns.one.length > 0);
    const two = startSequencer({ leaseMs: LONG_LEASE_MS, onTurn: (turn) => turns.two.push(turn), netMs: 5 });
    await until('two watches', () => turns.two.length > 0);
    for (let i = 0; i < 20; i++) {
      await append(database.pool(ROLE), anEvent(randomUUID(), 1));
      one.nudge();
      two.nudge();
    }
    await until('all are sequenced', async () => (await count()) === 20);
    expect(turns.two.filter(({ leading }) => leading)).toEqual([]);
    expect(await epoch()).toBe(1);
  });

  it('goes on when its session is ended', async () => {
    const sequencer = startSequencer({ onError: () => undefined });
    for (let i = 1; i <= 20; i++) {
      await append(database.owner, anEvent(randomUUID(), 1));
      sequencer.nudge();
      await database.owner.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and datname = current_database()',
        [ROLE],
      );
    }
    await until('all are sequenced', async () => {
      const { rows } = await database.owner.query<{ seq: string }>('select seq from log.seq_cursor');
      return rows[0]?.seq === '20';
    });
    expect((await verifyLog(database.owner, SCHEMA)).faults).toEqual([]);
  });

  it('numbers an event within a moment of the nudge, many nudges in few turns', async () => {
    const turns: SequencerTurn[] = [];
    const sequencer = startSequencer({ netMs: 60_000, leaseMs: 200_000, onTurn: (turn) => turns.push(turn) });
    await until('it leads', () => turns.length > 0);
    await append(database.pool(ROLE), ...Array.from({ length: 500 }, () => anEvent(randomUUID(), 1)));
    for (let i = 0; i < 500; i++) sequencer.nudge();
    await until('all are sequenced', async () => (await count()) === 500);
    // More turns than expected if a transaction in another spec file's database holds events back.
    expect(turns.length).toBeLessThan(100);
  });

  it('writes nothing while there is nothing to do', async () => {
    let turns = 0;
    startSequencer({ netMs: 1, leaseMs: 600_000, onTurn: () => turns++ });
    await until('it leads', () => turns > 1);
    const position = async (): Promise<string> =>
      (await database.owner.query<{ xmin: string }>('select xmin::text from log.seq_cursor')).rows[0]?.xmin ?? '';
    const before = await position();
    const seen = turns;
    await until('it looked again', () => turns > seen + 20);
    expect(await position()).toBe(before);
  });
});
