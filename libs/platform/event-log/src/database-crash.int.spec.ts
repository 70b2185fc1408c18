import { randomUUID } from 'node:crypto';
import { connectDatabase, migrate, type Database } from '@heddle/platform-database';
import { privateServer, type PrivateServer } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogReader, readFrom, Sequencer, verifyLog } from './index.js';
import { anEvent, append, LOG_MIGRATIONS, ROLE, SCHEMA, until } from './event-log.fixture.js';

let server: PrivateServer;
let database: Database;

beforeAll(async () => {
  server = await privateServer();
  database = await connectDatabase({ databaseUrl: server.url(), poolSizes: { [ROLE]: 20 } });
  await migrate(database, LOG_MIGRATIONS);
});

afterAll(async () => {
  await database.close();
  await server.remove();
});

/** On a shared disk one commit may take a third of a second. */
const WAIT_TIMEOUT_MS = 60_000;

describe('a database that is killed again and again under load', { timeout: 5 * WAIT_TIMEOUT_MS }, () => {
  it('loses nothing that it acknowledged, keeps one dense chain, and the reader delivers every event in order', async () => {
    const pool = database.pool(ROLE);
    const acknowledged = new Set<string>();
    const delivered: bigint[] = [];
    const handled: string[] = [];
    const reader = new LogReader({
      pool,
      schema: SCHEMA,
      consumer: 'sample',
      netMs: 20,
      leaseMs: 500,
      handle: async (events) => {
        delivered.push(...events.map(({ seq }) => seq));
        handled.push(...events.map(({ eventId }) => eventId));
        await Promise.resolve();
      },
    });
    const sequencer = new Sequencer({
      pool,
      schema: SCHEMA,
      netMs: 20,
      leaseMs: 500,
      onTurn: (turn) => turn.count > 0 && reader.nudge(),
    });
    sequencer.start();
    reader.start();
    let over = false;
    const writers = Array.from({ length: 8 }, async () => {
      while (!over) {
        const event = anEvent(randomUUID(), 1);
        try {
          await append(pool, event);
          acknowledged.add(event.eventId);
          sequencer.nudge();
        } catch {
          // The outcome is unknown: the event may be in the log.
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    });
    try {
      for (let kill = 0; kill < 3; kill++) {
        const goal = acknowledged.size + 200;
        await until('the writers go on', () => acknowledged.size >= goal, WAIT_TIMEOUT_MS);
        await server.kill();
        await server.start();
      }
      const goal = acknowledged.size + 200;
      await until('the writers go on', () => acknowledged.size >= goal, WAIT_TIMEOUT_MS);
    } finally {
      over = true;
      await Promise.all(writers);
    }
    const { rows } = await pool.query<{ n: string }>('select count(*) as n from log.event');
    const total = BigInt(rows[0]?.n ?? 0);
    await until('the reader has all', () => reader.seq === total, WAIT_TIMEOUT_MS);
    await reader.stop();
    await sequencer.stop();

    expect(await verifyLog(pool, SCHEMA)).toMatchObject({ events: total, faults: [] });
    const stored = new Set<string>();
    for (let seq = 0n; seq < total; seq += 1_000n)
      for (const { eventId } of await readFrom(pool, SCHEMA, seq, 1_000)) stored.add(eventId);
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(new Set(handled)).toEqual(stored);
    // Repeated deliveries may go back, but an event never arrives before all its predecessors.
    let highest = 0n;
    for (const seq of delivered) {
      expect(seq <= highest + 1n).toBe(true);
      if (seq > highest) highest = seq;
    }
  });
});
