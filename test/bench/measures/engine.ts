import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startStandalone } from '@heddle/testing-standalone';
import { WebSocket } from 'ws';
import { quantiles } from '../quantiles.ts';
import type { Sample } from '../rows.ts';
import { RAISED } from '../servers.ts';

const WARM_UP = 30;
const ROUNDS = 300;
const BURST = 300;
const BIN = fileURLToPath(new URL('../../../apps/cli/bin/heddle.mjs', import.meta.url));
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Rows P1a, P1b, P2 and P2b: overhead of Heddle over an engine, and rate of durable jobs compared with bare prompts. */
export async function measureEngine(): Promise<Sample> {
  const engine = await engineUnderTest();
  const env = { ...RAISED, HEDDLE_ENGINE: engine.url };
  const inFront = await startStandalone({ env });
  const socket = await openSocket(engine.url);
  try {
    const [direct, through]: [number[], number[]] = [[], []];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      // In turn, so that both meet the same load of the machine.
      const [alone, heddle] = [
        await timed(() => runDirect(socket, text())),
        await timed(() => runJob(inFront.url, text())),
      ];
      if (round < WARM_UP) continue;
      direct.push(alone);
      through.push(heddle);
    }
    const rate = await promptRate(socket);
    return {
      ...quantiles('direct', direct),
      ...quantiles('through', through),
      'prompts.rate': rate,
      'jobs.rate': await ownRate('1'),
      'jobs4.rate': await ownRate('4'),
    };
  } finally {
    socket.ws.close();
    await inFront.stop();
    await engine.stop();
  }
}

/** The engine at HEDDLE_TEST_ENGINE, or the built-in engine server in a separate process. */
async function engineUnderTest(): Promise<{ url: string; stop(): Promise<void> }> {
  const named = process.env['HEDDLE_TEST_ENGINE'];
  if (named !== undefined && named !== '') return { url: named, stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'heddle-bench-engine-'));
  const child = spawn(process.execPath, [BIN, 'engine', '--port', '0', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const url = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /ready (http\S+)/.exec(line)?.[1];
      if (found !== undefined) done(found);
    });
    void ended.then(() => fail(new Error('heddle engine did not start')));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

/** Durable 64 x 64 jobs per second of standalone with the built-in engine. The default is one worker. */
async function ownRate(workers: string): Promise<number> {
  const heddle = await startStandalone({ env: { ...RAISED, HEDDLE_WORKERS: workers } });
  try {
    // Warm-up, because the compared engine is warm too.
    await rateOf((graph) => runJob(heddle.url, graph));
    return await rateOf((graph) => runJob(heddle.url, graph));
  } finally {
    await heddle.stop();
  }
}

function promptRate(socket: EngineSocket): Promise<number> {
  return rateOf((graph) => runDirect(socket, graph));
}

/** Sends all graphs with 16 clients, one at a time each. */
async function rateOf(run: (graph: object) => Promise<void>): Promise<number> {
  let left = BURST;
  const began = performance.now();
  const client = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1;
      await run(picture());
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  return BURST / ((performance.now() - began) / 1000);
}

/** Runs one job from its submission to the terminal frame. */
async function runJob(url: string, graph: object): Promise<void> {
  const answer = await post(`${url}/api/v2/jobs`, JSON.stringify({ workflow: graph }), {
    'idempotency-key': randomUUID(),
  });
  const { urls } = JSON.parse(answer) as { urls: { events: string } };
  await new Promise<void>((done, fail) => {
    get(urls.events, { agent, headers: { accept: 'text/event-stream' } }, (stream) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (data: string) => (text += data));
      stream.once('end', () => (/"status":"succeeded"/.test(text) ? done() : fail(new Error(text.slice(-500)))));
    }).once('error', fail);
  });
}

interface EngineSocket {
  readonly url: string;
  readonly clientId: string;
  readonly ws: WebSocket;
  readonly waiting: Map<string, () => void>;
}

async function openSocket(url: string): Promise<EngineSocket> {
  const clientId = randomUUID();
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/ws?clientId=${clientId}`);
  const waiting = new Map<string, () => void>();
  ws.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return;
    const { type, data: event } = JSON.parse(data.toString()) as {
      type: string;
      data: { node?: string | null; prompt_id: string };
    };
    if (type === 'executing' && event.node === null) waiting.get(event.prompt_id)?.();
  });
  await new Promise((done, fail) => ws.once('open', done).once('error', fail));
  return { url, clientId, ws, waiting };
}

/** Runs one prompt from its POST to `executing null`. */
async function runDirect({ url, clientId, waiting }: EngineSocket, graph: object): Promise<void> {
  const promptId = randomUUID();
  const over = new Promise<void>((done) => waiting.set(promptId, done));
  await post(`${url}/prompt`, JSON.stringify({ prompt: graph, prompt_id: promptId, client_id: clientId }));
  await over;
  waiting.delete(promptId);
}

function post(url: string, body: string, more: Record<string, string> = {}): Promise<string> {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...more };
  return new Promise((done, fail) => {
    const sent = request(url, { method: 'POST', agent, headers }, (answer: IncomingMessage) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (data: string) => (text += data));
      answer.once('end', () => ((answer.statusCode ?? 500) < 300 ? done(text) : fail(new Error(text.slice(0, 500)))));
    });
    sent.once('error', fail);
    sent.end(body);
  });
}

/** Unique numbers in graphs, so that nothing comes from a cache */
let count = Math.floor(Math.random() * 0xffffff);

function text(): object {
  return {
    '1': { class_type: 'PrimitiveInt', inputs: { value: (count += 1) } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
}

function picture(): object {
  const color = (count += 1) % 0xffffff;
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'bench' } },
  };
}

async function timed(what: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await what();
  return performance.now() - began;
}
