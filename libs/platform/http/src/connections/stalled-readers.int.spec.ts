import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { kernelQueues } from './kernel-queues.js';
import { StalledReaders } from './stalled-readers.js';

const STALLED_MS = 100;
/** More than the system buffers per connection. */
const BYTES = 32 * 1024 ** 2;

describe('a reader that takes nothing', () => {
  let server: Server;
  let reader: Socket;
  let readers: StalledReaders;
  afterEach(() => {
    readers.stop();
    reader.destroy();
    server.close();
  });

  /** Resolves with the milliseconds until the connection was closed. */
  async function cutAfter(queuesNow: typeof kernelQueues): Promise<number> {
    const began = performance.now();
    const cut = new Promise<number>((done) => {
      readers = new StalledReaders(
        STALLED_MS,
        (socket) => {
          done(performance.now() - began);
          socket.destroy();
        },
        queuesNow,
      );
    });
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      readers.watch(socket);
      socket.write(Buffer.alloc(BYTES));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    reader = connect((server.address() as AddressInfo).port, '127.0.0.1')
      .on('error', () => undefined)
      .pause();
    return await cut;
  }

  it('is cut after the time', async () => {
    const ms = await cutAfter(kernelQueues);
    expect(ms).toBeGreaterThanOrEqual(STALLED_MS);
  });

  it('is cut after ten times that where the system tells nothing of its connections', async () => {
    expect(await cutAfter(() => Promise.resolve(null))).toBeGreaterThanOrEqual(10 * STALLED_MS);
  });
});
