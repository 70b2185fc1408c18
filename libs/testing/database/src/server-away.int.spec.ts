import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { connectDatabase } from '@heddle/platform-database';
import type { Database } from '@heddle/platform-database';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDatabase } from './fresh-database.js';
import type { TestDatabase } from './fresh-database.js';

/** Stands before the server: while it is away, nothing listens on its port. */
class Door {
  readonly #sockets = new Set<Socket>();
  #server = createServer();
  port = 0;

  constructor(private readonly target: number) {}

  async open(): Promise<void> {
    this.#server = createServer((incoming) => {
      const outgoing = connect(this.target, '127.0.0.1');
      for (const [from, to] of [[incoming, outgoing] as const, [outgoing, incoming] as const]) {
        this.#sockets.add(from);
        from.on('error', () => to.destroy()).on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

let database: TestDatabase;
let door: Door;
let reached: Database;
let stopping: AbortController;

function urlOfDoor(): string {
  const url = new URL(database.ownerUrl);
  url.port = String(door.port);
  return url.href;
}

/** The server is away, and the pool knows it. */
async function leave(): Promise<void> {
  await door.close();
  await expect.poll(() => reached.ownerPool.totalCount).toBe(0);
}

beforeEach(async () => {
  database = await freshDatabase({ migrations: [] });
  door = new Door(Number(new URL(database.ownerUrl).port));
  await door.open();
  stopping = new AbortController();
  reached = await connectDatabase({ databaseUrl: urlOfDoor(), stopping: stopping.signal });
});
afterEach(async () => {
  await reached.close();
  await door.close().catch(() => undefined);
  await database.drop();
});

it('a statement that finds the server away waits until it is back', async () => {
  await leave();
  const asked = reached.ownerPool.query<{ n: number }>('select 1 as n');
  await expect(reached.probe('heddle_sample')).rejects.toThrow('ECONNREFUSED');
  await door.open();
  expect((await asked).rows).toEqual([{ n: 1 }]);
});

it('a statement fails when the server stays away for longer than a connection may take', async () => {
  await leave();
  await expect(reached.ownerPool.query('select')).rejects.toThrow('ECONNREFUSED');
}, 20_000);

it('a pool that was not used yet waits like the others', async () => {
  await reached.ownerPool.query("create role heddle_new login password '" + reached.rolePassword('heddle_new') + "'");
  await leave();
  const asked = reached.pool('heddle_new', 'reads').query<{ n: number }>('select 1 as n');
  await door.open();
  expect((await asked).rows).toEqual([{ n: 1 }]);
  await reached.ownerPool.query('drop role heddle_new');
});

it('nothing waits for the server any longer once the process stops', async () => {
  await leave();
  const asked = reached.ownerPool.query('select');
  stopping.abort();
  const begun = performance.now();
  await expect(asked).rejects.toThrow('ECONNREFUSED');
  expect(performance.now() - begun).toBeLessThan(2_000);
});

it('a start does not wait for a server that was never reached', async () => {
  await leave();
  const begun = performance.now();
  await expect(connectDatabase({ databaseUrl: urlOfDoor() })).rejects.toThrow('ECONNREFUSED');
  expect(performance.now() - begun).toBeLessThan(2_000);
});
