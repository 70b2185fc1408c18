import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly warmMs: number;
  readonly measureMs: number;
  /** The next request, with head and body */
  request(): Buffer;
  readonly expectStatus: number;
}

export interface LoadResult {
  readonly count: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * A lean HTTP/1.1 load: keep-alive sockets with one request in flight, answers split by Content-Length. Calls `around` when
 * the measured window opens and closes, so that CPU is read for exactly that window.
 */
export async function runLoad(load: Load, around: { open(): void; close(): void }): Promise<LoadResult> {
  const latencies: number[] = [];
  let measuring = false;
  let stopped = false;
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)));
  const loops = sockets.map(async (socket) => {
    const answers = reader(socket);
    while (!stopped) {
      const began = performance.now();
      socket.write(load.request());
      const status = await answers.next();
      if (status !== load.expectStatus)
        throw new Error(`answered ${status}, expected ${load.expectStatus}: ${answers.last()}`);
      if (measuring) latencies.push(performance.now() - began);
    }
    socket.destroy();
  });
  await pause(load.warmMs);
  around.open();
  measuring = true;
  const began = performance.now();
  await Promise.race([pause(load.measureMs), Promise.all(loops)]);
  measuring = false;
  const seconds = (performance.now() - began) / 1000;
  around.close();
  stopped = true;
  await Promise.all(loops);
  latencies.sort((a, b) => a - b);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? NaN;
  return { count: latencies.length, seconds, perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** One keep-alive connection for sequential requests; each resolves with its status. */
export async function requester(port: number): Promise<{ send(request: Buffer): Promise<number>; close(): void }> {
  const socket = await open(port);
  const answers = reader(socket);
  return {
    send: (request) => {
      socket.write(request);
      return answers.next();
    },
    close: () => void socket.destroy(),
  };
}

/** The bytes of a POST with a JSON body. */
export function post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(body);
  const head = Object.entries({ host: '127.0.0.1', 'content-type': 'application/json', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}content-length: ${bytes.length}\r\n\r\n`), bytes]);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.setNoDelay(true).once('error', reject);
  });
}

function reader(socket: Socket): { next(): Promise<number>; last(): string } {
  let pending: Buffer = Buffer.alloc(0);
  let last = '';
  let wake: ((status: number) => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = pending.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (pending.length < headEnd + 4 + length) return;
    const status = Number(head.slice(9, 12));
    if (status >= 400) last = pending.toString('utf8');
    pending = pending.subarray(headEnd + 4 + length);
    wake?.(status);
  });
  socket.on('close', () => fail?.(new Error('the server closed a connection under load')));
  return {
    next: () =>
      new Promise((resolve, reject) => {
        wake = resolve;
        fail = reject;
      }),
    last: () => last,
  };
}
