import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { startFloor } from '../floor-server.ts';
import { pause } from '../http-load.ts';
import { cpuUs, rssMib } from '../process-cpu.ts';
import type { BenchServers } from '../servers.ts';
import type { Sample } from '../rows.ts';

const ROUNDS_OF_FRAMES = 10;

/** Rows E1 to E3: many streams of one job, each frame to all of them. */
export async function measureStreams(servers: BenchServers): Promise<Sample> {
  const sample: Record<string, number> = {};
  for (const count of [1000, 5000]) {
    const floor = await floorStreams(count);
    const product = await productStreams(servers, count);
    sample[`sse-floor${count}.p99`] = floor.p99Ms;
    sample[`sse-floor${count}.cpu`] = floor.cpu;
    sample[`sse${count}.p99`] = product.p99Ms;
    sample[`sse${count}.cpu`] = product.cpu;
    sample[`sse${count}.kib`] = product.kib;
  }
  return sample;
}

interface Fanout {
  readonly p99Ms: number;
  /** server CPU per delivered frame, us */
  readonly cpu: number;
  /** resident memory per idle stream, KiB */
  readonly kib: number;
}

async function floorStreams(count: number): Promise<Fanout> {
  const server = await startFloor('sse.ts');
  try {
    const open = (): Promise<Watcher> => watch(server.port, '/');
    const data = JSON.stringify({ value: 0.5, note: 'x'.repeat(250) });
    return await fanout(server.pid, count, open, async () => {
      await pause(500);
      server.child.send(data);
    });
  } finally {
    await server.stop();
  }
}

async function productStreams(servers: BenchServers, count: number): Promise<Fanout> {
  const { running } = servers;
  // The job reports progress all the time; each report is a frame for every stream.
  const workflow = {
    '1': { class_type: 'HeddleTestSleep', inputs: { seconds: 600 } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
  const answer = await fetch(`${running.url}/api/v2/jobs`, { method: 'POST', body: JSON.stringify({ workflow }) });
  if (answer.status !== 201) throw new Error(await answer.text());
  const job = (await answer.json()) as { id: string };
  const open = (): Promise<Watcher> => watch(running.port, `/api/v2/jobs/${job.id}/events`);
  try {
    return await fanout(running.pid, count, open, async () => undefined);
  } finally {
    await fetch(`${running.url}/api/v2/jobs/${job.id}/cancel`, { method: 'POST' });
  }
}

async function fanout(
  pid: number,
  count: number,
  open: () => Promise<Watcher>,
  send: () => Promise<void>,
): Promise<Fanout> {
  const before = rssMib(pid);
  const watchers: Watcher[] = [];
  while (watchers.length < count) {
    watchers.push(...(await Promise.all(Array.from({ length: Math.min(50, count - watchers.length) }, open))));
  }
  await pause(1500);
  const kib = ((rssMib(pid) - before) * 1024) / count;
  const latencies: number[] = [];
  const cpuBefore = cpuUs(pid);
  for (let round = 0; round < ROUNDS_OF_FRAMES; round += 1) {
    const arrivals = watchers.map((watcher) => watcher.nextFrame());
    await send();
    // From the first arrival, because the product decides when a frame is sent.
    const arrived = await Promise.all(arrivals);
    const first = Math.min(...arrived);
    for (const at of arrived) latencies.push(at - first);
  }
  const cpu = (cpuUs(pid) - cpuBefore) / (count * ROUNDS_OF_FRAMES);
  for (const watcher of watchers) watcher.socket.destroy();
  await pause(300);
  latencies.sort((a, b) => a - b);
  return { p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? NaN, cpu, kib };
}

interface Watcher {
  readonly socket: Socket;
  /** Resolves with performance.now() when the next `progress` frame arrives. */
  nextFrame(): Promise<number>;
}

function watch(port: number, path: string): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    let arrived: ((at: number) => void) | null = null;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`);
    });
    socket.once('error', reject);
    socket.once('data', (head: Buffer) => {
      if (!head.subarray(0, 15).includes(' 200')) reject(new Error(head.toString('latin1', 0, 200)));
      socket.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: progress')) arrived?.(performance.now());
      });
      resolve({ socket, nextFrame: () => new Promise((done) => (arrived = done)) });
    });
  });
}
