import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawConnection } from '@heddle/testing-api';
import type { RawConnection } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys, tokenOf } from '../internal-calls/call-servers.js';
import { BUDGET, HEAD_MS, STALLED_MS, UNAUTHENTICATED } from './attacked-ports.js';
import type { AttackedPorts } from './attacked-ports.js';
import { callHead, data, frame, PREFACE, SETTINGS } from './http2-frames.js';
import { watchMemory } from './process-memory.js';

const MIB = 1024 ** 2;
const CHUNKS = 10_000_000;
const CHUNKS_AT_ONCE = 100_000;
const FILE_BYTES = 64 * MIB;
/** Larger than the amount that the reader's system buffers before it reports free space to the sender. */
const PART_BYTES = 512 * 1024;

/** Space for young objects: by default up to 48 MiB of garbage would count as taken memory when the machine is busy. */
const YOUNG_OBJECTS = '--max-semi-space-size=2';

describe('the ports that no gateway stands before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-ports-'));
  let child: ChildProcess;
  let ports: AttackedPorts;
  let idle: number;
  const pid = (): number => child.pid!;
  const files = (): number => readdirSync(`/proc/${pid()}/fd`).length;
  const open: RawConnection[] = [];
  const to = async (port: number): Promise<RawConnection> => {
    const connection = await rawConnection(`http://127.0.0.1:${port}`);
    open.push(connection);
    return connection;
  };
  const counted = async (port: string, reason: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${ports.ops}/metrics`)).text();
    return Number(new RegExp(`refused_total\\{port="${port}",reason="${reason}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  const post = (path: string, framing: string, token = tokenOf('gateway')): string =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${framing}\r\n\r\n`;
  const statusOf = (said: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]);

  beforeAll(async () => {
    const file = join(folder, 'file');
    writeFileSync(file, Buffer.alloc(FILE_BYTES, 'x'));
    const program = join(import.meta.dirname, 'attacked-ports.ts');
    child = fork(program, [keys.publicKey, file, join(folder, 'engine')], {
      execArgv: [...process.execArgv, YOUNG_OBJECTS],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    ports = await new Promise((done, fail) => {
      child.once('message', (message) => done(message as AttackedPorts));
      child.once('exit', (code) => fail(new Error(`the ports ended with ${code}`)));
    });
    idle = files();
  });
  afterAll(() => {
    child.removeAllListeners('exit').disconnect();
    for (const connection of open) connection.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['calls', 'engine', 'ops'] as const)(
    'take no memory from ten million chunks of one byte, and refuse them: %s',
    { timeout: 120_000 },
    async (port) => {
      const memory = await watchMemory(pid());
      const connection = await to(ports[port]);
      const path = port === 'calls' ? '/head' : '/prompt';
      connection.write(post(path, 'Transfer-Encoding: chunked\r\nContent-Type: application/json'));
      const chunks = '1\r\n \r\n'.repeat(CHUNKS_AT_ONCE);
      const answered = connection.read((said) => said.includes('\r\n\r\n'), 60_000);
      let isOver = false;
      void connection.closed.then(() => (isOver = true));
      for (let sent = 0; sent < CHUNKS && !isOver; sent += CHUNKS_AT_ONCE) {
        const took = connection.socket.write(chunks);
        if (!took)
          await Promise.race([new Promise((done) => connection.socket.once('drain', done)), connection.closed]);
      }
      // The health port does not wait for the body, so a client that keeps sending may miss its answer.
      expect(port === 'ops' ? ['405', 'NaN'] : ['400']).toContain(String(statusOf(await answered)));
      await connection.closed;
      expect(await memory.growth()).toBeLessThan(32);
    },
  );

  it('take no memory from frames of one byte, and end the call: work', async () => {
    const memory = await watchMemory(pid());
    const connection = await to(ports.work);
    const path = '/heddle.worker.v1.WorkerService/Work';
    connection.write(Buffer.concat([PREFACE, SETTINGS, callHead(path, `Bearer ${tokenOf('worker')}`)]));
    // A message of ten megabytes: uncompressed flag, length, and single bytes up to the flow-control window.
    connection.write(data(Buffer.from([0, 0, 0x98, 0x96, 0x80])));
    connection.write(Buffer.concat(Array.from({ length: 60_000 }, () => data(Buffer.from([0])))));
    await expect.poll(() => counted('work', 'body_finely_cut')).toBe(1);
    connection.destroy();
    expect(await memory.growth()).toBeLessThan(32);
  });

  it('hold nothing of calls of ten megabytes on 200 connections', { timeout: 120_000 }, async () => {
    const memory = await watchMemory(pid());
    const body = Buffer.alloc(9.9 * MIB, ' ');
    const connections = await Promise.all(Array.from({ length: 200 }, () => to(ports.calls)));
    const answers = connections.map(async (connection) => {
      connection.write(post('/head', `Content-Length: ${body.length + 1}`));
      connection.write(body);
      return statusOf(await connection.read((said) => said.includes('too_large'), 4_000).catch(() => ''));
    });
    const statuses = await Promise.all(answers);
    expect(new Set(statuses.filter((status) => !Number.isNaN(status)))).toEqual(new Set([413]));
    // A client that keeps sending may lose its connection before it reads the answer.
    expect(statuses.filter((status) => status === 413).length).toBeGreaterThan(0);
    for (const connection of connections) connection.destroy();
    expect(await memory.growth()).toBeLessThan(64);
    const again = await to(ports.calls);
    again.write(post('/plain', 'Content-Length: 2\r\nContent-Type: application/json') + '{}');
    expect(statusOf(await again.read((said) => said.includes('{}')))).toBe(200);
  });

  it('hold gRPC calls of ten megabytes on 200 connections within the budget', { timeout: 120_000 }, async () => {
    const memory = await watchMemory(pid());
    const message = Buffer.alloc(9.9 * MIB, ' ');
    message.set([0]);
    message.writeUInt32BE(message.length, 1);
    const sessions = Array.from({ length: 200 }, () => connectHttp2(`http://127.0.0.1:${ports.calls}`));
    const head = {
      ':method': 'POST',
      ':path': '/heddle.logs.v1.LogsService/Capture',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${tokenOf('worker')}`,
    };
    let refused = 0;
    for (const session of sessions) {
      session.on('error', () => undefined);
      const call = session.request(head, { endStream: false });
      call.on('error', () => undefined);
      call.once('close', () => (refused += 1));
      call.write(message);
    }
    await expect.poll(() => refused, { timeout: 10_000 }).toBeGreaterThan(150);
    const growth = await memory.growth();
    for (const session of sessions) session.destroy();
    expect(growth).toBeLessThan(BUDGET / MIB + 64);
  });

  it.each(['calls', 'work', 'ops', 'engine'] as const)(
    'cut a head that drips: %s',
    { timeout: 60_000 },
    async (port) => {
      const connection = await to(ports[port]);
      const head =
        port === 'work'
          ? Buffer.concat([PREFACE, SETTINGS, frame(1, 0, 1, Buffer.alloc(0), 10_000)])
          : 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ';
      connection.write(head);
      const drip = setInterval(() => connection.write('a'), 100);
      await connection.readAll(30_000).finally(() => clearInterval(drip));
      if (port === 'calls' || port === 'work') expect(await counted(port, 'head_late')).toBeGreaterThan(0);
    },
  );

  it('close a gRPC connection on which nobody says who it is', async () => {
    const session = connectHttp2(`http://127.0.0.1:${ports.work}`);
    session.on('error', () => undefined);
    const started = performance.now();
    await new Promise((done) => session.once('close', done));
    expect(performance.now() - started).toBeLessThan(10 * HEAD_MS);
  });

  it.each(['calls', 'work'] as const)(
    'end a connection whose many calls all have no valid token: %s',
    { timeout: 30_000 },
    async (port) => {
      const before = await counted(port, 'unauthenticated');
      const session = connectHttp2(`http://127.0.0.1:${ports[port]}`);
      session.on('error', () => undefined);
      let asked = 0;
      const ask = async (): Promise<void> => {
        if (session.destroyed) return;
        const call = session.request({
          ':method': 'POST',
          ':path': '/heddle.worker.v1.WorkerService/Work',
          'content-type': 'application/grpc',
          te: 'trailers',
          authorization: 'Bearer forged',
        });
        call
          .on('error', () => undefined)
          .resume()
          .end();
        asked += 1;
        await new Promise((done) => call.once('close', done));
      };
      while (!session.closed && !session.destroyed && asked < 2_000) await Promise.all(Array.from({ length: 20 }, ask));
      expect(asked).toBeGreaterThan(100);
      expect(asked).toBeLessThan(500);
      expect(await counted(port, 'unauthenticated')).toBe(before + 1);
    },
  );

  it.each(['calls', 'work'] as const)(
    'keep only so many connections without a caller, and the callers they know: %s',
    async (port) => {
      const known = port === 'calls' ? await to(ports.calls) : null;
      const ask = async (): Promise<void> => {
        known?.write(post('/plain', 'Content-Length: 2\r\nContent-Type: application/json') + '{}');
        await known?.read((said) => said.endsWith('{}'));
      };
      await ask();
      const before = await counted(port, 'unauthenticated');
      const silent = await Promise.all(Array.from({ length: UNAUTHENTICATED + 50 }, () => to(ports[port])));
      await Promise.all(silent.slice(0, 50).map(({ closed }) => closed));
      expect(await counted(port, 'unauthenticated')).toBeGreaterThanOrEqual(before + 50);
      await ask();
      for (const connection of silent) connection.destroy();
    },
  );

  it('cut a download that nobody reads, and free its file', { timeout: 60_000 }, async () => {
    await expect.poll(files).toBeLessThan(idle + 10);
    const before = files();
    const stalled = await Promise.all(Array.from({ length: 20 }, () => to(ports.calls)));
    for (const { socket } of stalled) socket.pause();
    for (const connection of stalled) {
      connection.write(post('/file', 'Content-Length: 4\r\nContent-Type: application/json') + 'null');
    }
    await expect.poll(files).toBeGreaterThanOrEqual(before + 40);
    // Sent bytes do not count as reading.
    const chatter = setInterval(
      () => stalled.forEach((connection) => connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')),
      STALLED_MS / 5,
    );
    await expect.poll(files).toBeLessThanOrEqual(before + 2);
    clearInterval(chatter);
    // Its files may be counted a moment before the last one is cut.
    await expect.poll(() => counted('calls', 'stalled')).toBe(20);
  });

  it('do not cut a download that is read slowly', { timeout: 60_000 }, async () => {
    const slow = await to(ports.calls);
    slow.socket.pause();
    let came = 0;
    slow.socket.on('data', (text: string) => (came += text.length));
    slow.write(post('/file', 'Content-Length: 4\r\nContent-Type: application/json') + 'null');
    const until = performance.now() + 5 * STALLED_MS;
    for (let read = PART_BYTES; performance.now() < until; read += PART_BYTES) {
      slow.socket.resume();
      while (came < read) await new Promise((done) => slow.socket.once('data', done));
      slow.socket.pause();
      // The pace of the reader.
      await new Promise((done) => setTimeout(done, STALLED_MS / 3));
    }
    slow.socket.resume();
    await expect.poll(() => came).toBeGreaterThan(FILE_BYTES);
  });
});
