import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { freshDatabase, type TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLog } from './index.js';
import { anEvent, append, LOG_MIGRATIONS, logProcess, ROLE, SCHEMA, until } from './event-log.fixture.js';

type Publication = readonly [eventId: string, streamId: string, version: number, seq: number];

/** Maximum time until another process takes over. */
const WITHIN_MS = 5_000;
const WRITERS = 4;
/** Each fault hits whoever holds the log's lease and the relay's lease: killed, then frozen, twice each. */
const FAULTS = [
  { of: 'seq_cursor', signal: 'SIGKILL' },
  { of: 'relay_cursor', signal: 'SIGSTOP' },
  { of: 'seq_cursor', signal: 'SIGSTOP' },
  { of: 'relay_cursor', signal: 'SIGKILL' },
] as const;

let database: TestDatabase;
let broker: Server;
const published: Publication[] = [];
/** Kept beside: this process is the broker too, and must not fall behind the writers by counting. */
const publishedIds = new Set<string>();
const sockets: Socket[] = [];
const processes = new Map<string, ChildProcess>();

/** Stores what it receives in order of arrival and acknowledges each batch with one byte. */
function startBroker(): Server {
  return createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    // A killed process resets its connection; `lines` emits that error too.
    const lines = createInterface({ input: socket }).on('error', () => undefined);
    lines.on('line', (line) => {
      for (const publication of JSON.parse(line) as Publication[]) {
        published.push(publication);
        publishedIds.add(publication[0]);
      }
      socket.write('.');
    });
  }).listen(0, '127.0.0.1');
}

function startProcess(): void {
  const name = randomUUID();
  const { port } = broker.address() as AddressInfo;
  processes.set(name, logProcess(database.database.roleUrl(ROLE), name, port));
}

async function holderOf(cursor: string): Promise<string> {
  const { rows } = await database.owner.query<{ holder: string }>(
    `select holder from log.${cursor} where lease_until > heddle.clock_now()`,
  );
  return rows[0]?.holder ?? '';
}

beforeAll(async () => {
  database = await freshDatabase({ migrations: LOG_MIGRATIONS, poolSizes: { [ROLE]: WRITERS + 2 } });
  broker = startBroker();
  await until('the broker listens', () => broker.listening);
  for (let each = 0; each < 3; each++) startProcess();
});

afterAll(async () => {
  for (const child of processes.values()) child.kill('SIGKILL');
  for (const socket of sockets) socket.destroy();
  broker.close();
  await database.drop();
});

describe('sequencer and relay in three processes', () => {
  it('go on within 5 s when their holder is killed or frozen; the log and its publications stay whole and in order', async () => {
    const random = seeded(seed);
    const streams = Array.from({ length: WRITERS * 3 }, () => ({ id: randomUUID(), version: 0 }));
    let committed = 0;
    let over = false;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (!over) {
        const stream = streams[writer * 3 + Math.floor(random() * 3)]!;
        await append(database.pool(ROLE), anEvent(stream.id, ++stream.version));
        committed++;
        await new Promise((resolve) => setTimeout(resolve, random() * 8));
      }
    });
    const took: number[] = [];
    try {
      for (const { of, signal } of FAULTS) {
        await until('somebody publishes', async () => processes.has(await holderOf(of)) && published.length > 0);
        const name = await holderOf(of);
        const victim = processes.get(name)!;
        victim.kill(signal);
        const since = performance.now();
        // Events in flight may still have been committed.
        const last = committed + WRITERS;
        await until(
          `another goes on after ${signal} of the holder of ${of}, seed ${seed}`,
          // Work that the database finished for the victim may be published before another process takes over.
          async () => publishedIds.size > last && (await holderOf(of)) !== name,
        );
        took.push(performance.now() - since);
        if (signal === 'SIGSTOP') victim.kill('SIGCONT');
        else startProcess();
      }
    } finally {
      over = true;
      await Promise.all(writers);
    }
    expect(Math.max(...took), `ms each: ${took.map(Math.round).join(', ')}; seed ${seed}`).toBeLessThan(WITHIN_MS);
    await until('all is published', () => publishedIds.size === committed);

    expect(await verifyLog(database.owner, SCHEMA)).toMatchObject({ events: BigInt(committed), faults: [] });
    // At least once: repeated deliveries may go back, but a new event never arrives before all its predecessors.
    let highest = 0;
    const versions = new Map<string, number>();
    for (const [, streamId, version, seq] of published) {
      if (seq <= highest) continue;
      expect(seq, `seed ${seed}`).toBe(highest + 1);
      expect(version, `seed ${seed}`).toBe((versions.get(streamId) ?? 0) + 1);
      versions.set(streamId, version);
      highest = seq;
    }
    expect(highest).toBe(committed);
  });
});
