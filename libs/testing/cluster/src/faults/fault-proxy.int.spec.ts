import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from './fault-proxy.js';
import { httpReply } from './network-fault.js';

interface Client {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: Promise<string>;
  until(text: string): Promise<void>;
}

describe('the fault proxy', () => {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  let server: Server;
  let proxy: FaultProxy;
  beforeEach(async () => {
    heard.length = 0;
    sockets.clear();
    // Answers every piece with its upper-case form.
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (piece: Buffer) => {
        heard.push(piece.toString());
        socket.write(piece.toString().toUpperCase());
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    proxy = new FaultProxy(() => 0.5);
    await proxy.listen();
    proxy.target = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    await proxy.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });

  function open(): Client {
    const socket = connect({ port: proxy.port, host: '127.0.0.1' });
    let text = '';
    let how = 'closed';
    const waiting: { readonly wanted: string; readonly done: () => void }[] = [];
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
      for (const { wanted, done } of waiting) if (text.includes(wanted)) done();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (how = error.code ?? 'error'));
    const closed = new Promise<string>((done) => socket.once('close', () => done(how)));
    const until = (wanted: string): Promise<void> =>
      text.includes(wanted) ? Promise.resolve() : new Promise((done) => waiting.push({ wanted, done }));
    return { socket, text: () => text, closed, until };
  }

  const asked = async (what: string): Promise<Client> => {
    const client = open();
    client.socket.write(what);
    await client.until(what.toUpperCase());
    return client;
  };

  it('carries both directions and both ends', async () => {
    const client = await asked('hello');
    expect(proxy.connections).toBe(1);
    client.socket.end();
    expect(await client.closed).toBe('closed');
  });

  it('carries more than it keeps in memory, in order', async () => {
    const client = open();
    const letters = Array.from({ length: 20_000 }, (_, at) => `line ${at} of the long text`).join('\n');
    client.socket.write(`${letters}.`);
    await client.until('OF THE LONG TEXT.');
    expect(client.text()).toBe(`${letters}.`.toUpperCase());
    client.socket.destroy();
  });

  it('delays each piece in each direction', async () => {
    const client = await asked('now');
    proxy.set({ kind: 'latency', ms: 60 });
    const started = performance.now();
    client.socket.write('late');
    await client.until('LATE');
    expect(performance.now() - started).toBeGreaterThanOrEqual(115);
    client.socket.destroy();
  });

  it('lets no more through than the bandwidth', async () => {
    const client = await asked('now');
    proxy.set({ kind: 'bandwidth', bytesPerSecond: 100_000 });
    const started = performance.now();
    client.socket.write(`${'x'.repeat(10_000)}.`);
    await client.until('X.');
    expect(performance.now() - started).toBeGreaterThanOrEqual(190);
    client.socket.destroy();
  });

  it('resets what is open when it is cut, and takes new ones', async () => {
    const client = await asked('hello');
    expect(proxy.cut()).toBe(1);
    expect(await client.closed).toBe('ECONNRESET');
    (await asked('again')).socket.destroy();
  });

  it('refuses new connections and keeps the open ones', async () => {
    const before = await asked('hello');
    proxy.set({ kind: 'refuse' });
    const refused = open();
    refused.socket.write('x');
    expect(await refused.closed).not.toBe('closed');
    before.socket.write('still');
    await before.until('STILL');
    proxy.set(null);
    (await asked('again')).socket.destroy();
    before.socket.destroy();
  });

  it('swallows nothing in a black hole: what was sent arrives afterwards', async () => {
    const before = await asked('hello');
    proxy.set({ kind: 'black-hole' });
    const during = open();
    during.socket.write('during');
    before.socket.write('silence');
    // Nothing signals that nothing arrives: only time does.
    await new Promise((done) => setTimeout(done, 50));
    expect([before.text(), during.text(), heard]).toEqual(['HELLO', '', ['hello']]);
    proxy.set(null);
    await Promise.all([before.until('SILENCE'), during.until('DURING')]);
    before.socket.destroy();
    during.socket.destroy();
  });

  it('leaves a client with a server that is gone, until the fault ends', async () => {
    const client = await asked('hello');
    const [serverSide] = sockets;
    const gone = new Promise((done) => serverSide?.once('close', done));
    proxy.set({ kind: 'half-open' });
    await gone;
    client.socket.write('anybody');
    const after = open();
    after.socket.write('hello');
    await expect.poll(() => proxy.connections).toBe(2);
    expect(client.socket.destroyed).toBe(false);
    proxy.set(null);
    expect(await client.closed).toBe('ECONNRESET');
    expect(await after.closed).toBe('ECONNRESET');
    expect(heard).toEqual(['hello']);
  });

  it('lets the request through and resets instead of the answer, by chance', async () => {
    const client = await asked('hello');
    proxy.set({ kind: 'reset-answer', chance: 0.4 });
    client.socket.write('lucky');
    await client.until('LUCKY');
    proxy.set({ kind: 'reset-answer', chance: 0.6 });
    client.socket.write('done in silence');
    expect(await client.closed).toBe('ECONNRESET');
    expect(heard).toEqual(['hello', 'lucky', 'done in silence']);
    expect(client.text()).toBe('HELLOLUCKY');
  });

  it('answers in place of the server', async () => {
    const before = await asked('hello');
    proxy.set({ kind: 'reply', bytes: httpReply(503, 'Slow Down') });
    expect(await before.closed).toBe('ECONNRESET');
    const client = open();
    client.socket.write('GET / HTTP/1.1\r\n\r\n');
    await client.until('HTTP/1.1 503 Slow Down');
    client.socket.end();
    await client.closed;
    expect(heard).toEqual(['hello']);
  });

  it('resets a connection whose server does not run', async () => {
    proxy.target = 1;
    const client = open();
    client.socket.write('hello');
    await client.closed;
    expect(client.text()).toBe('');
  });
});
