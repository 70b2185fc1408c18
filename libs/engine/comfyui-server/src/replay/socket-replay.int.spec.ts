import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtinObjectInfo } from '@heddle/engine-builtin';
import { startEngineServer, type EngineServer } from '../engine-server.js';
import type { Generation } from '../generation.js';
import { SocketClient } from '../scripted/socket-client.fixture.js';
import { normalised } from './normalise.fixture.js';
import { recordedScenarios, type Scenario, type SocketEvent } from './recordings.fixture.js';

const INPUTS = fileURLToPath(new URL('../../../builtin/recorded/inputs', import.meta.url));
/**
 * Scenarios that share an engine: a real one remembers only the results of the previous prompt, the built-in one more,
 * so each row starts a fresh engine.
 */
const INTERRUPTED_FIRST_NODE = {
  class_type: 'EmptyImage',
  inputs: { width: 1500, height: 1500, batch_size: 1, color: 5 },
};
const AT_CONNECTION = 'executing (sent at the connection)';
const MAX_TRIES = 200;
const ROWS: readonly (readonly string[])[] = [
  ['success', 'cached_rerun', 'partly_cached'],
  ['runtime_error'],
  ['validation_failure', 'one_bad_of_two_outputs'],
  ['interrupt_running'],
  ['delete_pending'],
  ['two_clients', 'no_client_id'],
  ['connect_while_running'],
  ['feature_flags_and_binary'],
  ['binary_without_feature_flags'],
  ['no_id_and_replaced_connection', 'list_nodes'],
];

describe.each(['0.33.0', '0.3.64'] as const)('the recorded WebSocket scenarios of engine %s', (version) => {
  const scenarios = recordedScenarios(version);

  it('are all played', () => {
    expect([...scenarios.keys()].sort()).toEqual(ROWS.flat().sort());
  });

  it.each(ROWS.map((row) => ({ row, title: row.join(', ') })))('$title', async ({ row }) => {
    const replay = await SocketReplay.start(version);
    try {
      // An interruption may cost our engine its results; the recorded one still had this result of the previous prompt.
      if (row[0] === 'delete_pending') await replay.remember(INTERRUPTED_FIRST_NODE);
      for (const name of row) {
        const scenario = scenarios.get(name)!;
        const recorded = recordedTranscripts(scenario);
        const heard = await replay.play(scenario, recorded);
        if (isLeftOut(scenario)) expect(replay.statuses.at(-1), `${name} names a class that is left out`).toBe(400);
        else
          for (const [socket, lines] of Object.entries(recorded))
            expect(heard[socket], `${name} ${socket}`).toEqual(lines);
      }
    } finally {
      await replay.close();
    }
  });
});

/** Time-out for a socket to receive what was recorded, in milliseconds. */
const REPLAY_TIMEOUT_MS = 45_000;
const CLASSES = JSON.parse(builtinObjectInfo()) as object;

/** True if the built-in engine lacks a class of the graphs; the prompt is then refused. */
function isLeftOut({ events }: Scenario): boolean {
  const graphs = events.flatMap(({ body }) => {
    const prompt = typeof body === 'object' && body !== null && 'prompt' in body ? body.prompt : {};
    return Object.values(prompt as Record<string, { class_type: string }>);
  });
  return graphs.some((node) => !Object.hasOwn(CLASSES, node.class_type));
}

/** One server, its sockets by their recorded names, and where the current scenario starts on each. */
class SocketReplay {
  /** Answers to the submitted prompts. */
  readonly statuses: number[] = [];
  private readonly sockets = new Map<string, { client: SocketClient; from: number }>();

  private constructor(
    private readonly directory: string,
    private readonly server: EngineServer,
  ) {}

  static async start(version: Generation): Promise<SocketReplay> {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-replay-'));
    await cp(INPUTS, join(directory, 'input'), { recursive: true });
    return new SocketReplay(directory, await startEngineServer({ directory, port: 0, generation: version }));
  }

  async close(): Promise<void> {
    for (const { client } of this.sockets.values()) client.close();
    await this.server.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Runs a node before the scenario, so that its result is cached. */
  async remember(node: { class_type: string; inputs: object }): Promise<void> {
    const client = await SocketClient.open(this.server.url, 'before');
    const prompt = { '1': node, '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } } };
    const prompt_id = crypto.randomUUID();
    const body = JSON.stringify({ prompt, prompt_id, client_id: 'before' });
    expect((await fetch(`${this.server.url}/prompt`, { method: 'POST', body })).status).toBe(200);
    await client.ended(prompt_id);
    client.close();
  }

  /** The frames received by each socket, normalised for comparison. */
  async play({ events }: Scenario, recorded: Record<string, string[]>): Promise<Record<string, string[]>> {
    const opened = new Set(events.filter(({ dir }) => dir === 'open').map(({ on }) => on));
    for (const on of new Set(events.map((event) => event.on))) {
      if (on === 'http' || opened.has(on)) continue;
      if (!this.sockets.has(on)) await this.open(on, `client-${on.toLowerCase()}`);
      const socket = this.sockets.get(on)!;
      await socket.client.until(({ frames }) => frames.length > 0);
      socket.from = socket.client.frames.length;
    }
    for (const [at, event] of events.entries()) {
      if (event.dir === 'open') await this.openAs(event, amidRun(events, at));
      else if (event.dir === 'send') this.sockets.get(event.on)!.client.socket.send(JSON.stringify(event.text));
      else if (event.dir === 'request') await this.request(event, events.slice(0, at));
    }
    const heard: Record<string, string[]> = {};
    const deadline = setTimeout(
      () => [...this.sockets.values()].forEach(({ client }) => client.giveUp()),
      REPLAY_TIMEOUT_MS,
    );
    for (const [on, lines] of Object.entries(recorded)) {
      const { client, from } = this.sockets.get(on)!;
      const shown = (): string[] => comparedLines(client.frames.slice(from), events);
      const asRecorded = (): boolean => JSON.stringify(shown()) === JSON.stringify(lines);
      if (this.statuses.at(-1) !== 400) await client.until(asRecorded).catch(() => undefined);
      heard[on] = shown();
    }
    clearTimeout(deadline);
    return heard;
  }

  private async request({ method, path, body }: SocketEvent, before: readonly SocketEvent[]): Promise<void> {
    await this.caughtUp(before);
    const text = body === undefined || body === null ? undefined : JSON.stringify(body);
    const response = await fetch(this.server.url + path!, { method: method!, body: text });
    await response.arrayBuffer();
    if (path === '/prompt') this.statuses.push(response.status);
  }

  /** Waits until every socket has seen the node that ran when the request was recorded, or the end. */
  private async caughtUp(before: readonly SocketEvent[]): Promise<void> {
    const interrupted = before.some(({ path }) => path === '/interrupt');
    for (const [on, { client, from }] of this.sockets) {
      const sent = before.findLast(({ on: by, text }) => by === on && text !== undefined && isStep(text))?.text?.data;
      if (sent === undefined || (interrupted && sent['node'] !== null)) continue;
      const isSent = (frame: Heard): boolean =>
        isStep(frame) && frame.data['node'] === sent['node'] && frame.data['prompt_id'] === sent['prompt_id'];
      await client.until(({ frames }) => frames.slice(from).some(isSent));
    }
  }

  /** A connection during a run is repeated until a node is running. */
  private async openAs({ on, path }: SocketEvent, amidRun: boolean): Promise<void> {
    const clientId = new URL(path!, 'http://engine').searchParams.get('clientId');
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await this.open(on, clientId);
      const { client } = this.sockets.get(on)!;
      await client.until(({ frames }) => frames.length > (amidRun ? 1 : 0));
      if (!amidRun || lineOf(client.frames[1]!) === AT_CONNECTION) return;
      client.close();
      await client.cut();
    }
    throw new Error('no connection found a node at work');
  }

  private async open(on: string, clientId: string | null): Promise<void> {
    this.sockets.set(on, { client: await SocketClient.open(this.server.url, clientId), from: 0 });
  }
}

/** True if the client's next frame is about a node that is already running. */
function amidRun(events: readonly SocketEvent[], at: number): boolean {
  return events.slice(at, at + 3).some(({ text }) => text !== undefined && lineOf(text) === AT_CONNECTION);
}

type Message = SocketClient['messages'][number];
type Heard = SocketClient['frames'][number];

/** A node starts, or the prompt ends. */
function isStep(frame: Heard): frame is Message {
  return typeof frame === 'object' && 'type' in frame && frame.type === 'executing' && 'prompt_id' in frame.data;
}

/** The frames recorded for each socket, normalised for comparison. */
function recordedTranscripts({ events }: Scenario): Record<string, string[]> {
  const sockets: Record<string, Heard[]> = {};
  for (const { on, dir, text, binary } of events) {
    if (dir !== 'recv') continue;
    const frame = text ?? Buffer.from(binary!.header_hex, 'hex');
    (sockets[on] ??= []).push(frame);
  }
  return Object.fromEntries(Object.entries(sockets).map(([on, frames]) => [on, comparedLines(frames, events)]));
}

/** One line per message, without random parts and effects of our interruptions. */
function comparedLines(frames: readonly Heard[], events: readonly SocketEvent[]): string[] {
  const lines = inOneOrder(frames.filter((frame) => !isProgressWithin(frame)).map(lineOf));
  const struck = lines.findIndex((line) => line.startsWith('execution_interrupted'));
  const asked = events.some(({ path }) => path === '/interrupt');
  // The built-in engine can be interrupted within a node.
  const isPassing = (line: string): boolean => /^(?:progress_state |executing \{"display_node":"(?!1"))/.test(line);
  const kept = struck < 0 || !asked ? lines : lines.filter((line, at) => at > struck || !isPassing(line));
  const prompts = events.filter(({ dir, path }) => dir === 'request' && path === '/prompt');
  if (prompts.length < 2) return kept;
  // Queue messages depend on the timing of the client's other requests.
  const ofQueue = (line: string): boolean => line.startsWith('status');
  return [...kept.filter((line) => !ofQueue(line)), ...kept.filter(ofQueue)];
}

/** The built-in engine reports progress in nodes for which the real one reports none. */
function isProgressWithin(frame: Heard): boolean {
  if (typeof frame !== 'object' || !('type' in frame)) return false;
  if (frame.type === 'progress') return true;
  if (frame.type !== 'progress_state') return false;
  const nodes = Object.values(frame.data['nodes'] as Record<string, { state: string; value: number }>);
  return nodes.some(({ state, value }) => state === 'running' && value > 0);
}

/** Cached output nodes report in the order of a hash table. */
function inOneOrder(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => line.startsWith('execution_cached')) + 1;
  const isRepeated = (line: string): boolean => /^executed |^progress_state (?!.*"running")/.test(line);
  const length = lines.slice(start).findIndex((line) => !isRepeated(line));
  if (start === 0 || length <= 0) return [...lines];
  const repeated = lines.slice(start, start + length).filter((line) => line.startsWith('executed'));
  return [...lines.slice(0, start), ...repeated.sort(), ...lines.slice(start + length)];
}

function lineOf(frame: Heard): string {
  if (Buffer.isBuffer(frame)) return `binary ${frame.subarray(0, 8).toString('hex')}`;
  if (typeof frame === 'string') return `odd ${frame}`;
  const { type, data } = frame;
  if (type === 'executing' && !('prompt_id' in data)) return AT_CONNECTION;
  if (type === 'execution_interrupted') return `${type} ${String(data['prompt_id'])}`;
  return `${type} ${JSON.stringify(sortedKeys(normalised(data)))}`;
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortedKeys(member)]),
  );
}
