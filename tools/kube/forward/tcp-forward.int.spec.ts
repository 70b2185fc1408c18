import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '@heddle/platform-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TcpForward } from './tcp-forward.ts';

const HOST = '127.0.0.1';

describe('a forward', () => {
  let server: Server;
  let forward: TcpForward;
  let port: number;
  beforeEach(async () => {
    // Answers only after the end of what it was sent.
    server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      void text(socket).then(
        (said) => socket.end(`got ${said.length}`),
        () => undefined,
      );
    });
    server.listen(0, HOST);
    await once(server, 'listening');
    port = await freePort();
    forward = await TcpForward.start(
      { host: HOST, port },
      { host: HOST, port: (server.address() as AddressInfo).port },
    );
  });
  afterEach(async () => {
    await forward.stop();
    server.close();
  });

  const open = (): Socket => connect({ host: HOST, port, allowHalfOpen: true });

  it('passes on both directions, and the end of each by itself', async () => {
    const socket = open();
    socket.end('x'.repeat(1_000_000));
    expect(await text(socket)).toBe('got 1000000');
  });

  it('cuts a connection whose server is away', async () => {
    server.close();
    const socket = open();
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('cuts what is open when it stops', async () => {
    const socket = open();
    socket.on('error', () => undefined).write('begun');
    const [accepted] = (await once(server, 'connection')) as [Socket];
    const closed = once(accepted, 'close');
    await forward.stop();
    await closed;
    socket.destroy();
    await expect(once(open(), 'connect')).rejects.toThrow('ECONNREFUSED');
  });
});
