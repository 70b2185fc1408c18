import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServedFolders, type FolderType } from '../files/engine-folders.js';
import type { Generation } from '../generation.js';
import { lenientCheck } from '../prompts/lenient-check.js';
import type { PromptCheck } from '../prompts/prompt-check.js';
import type { PromptGraph, QueuedPrompt } from '../prompts/queued-prompt.js';
import { ProtocolServer } from '../protocol-server.js';
import type { PromptEnding } from '../running/prompt-ending.js';
import type { PromptStage } from '../running/prompt-stage.js';
import type { SocketFrame } from '../sockets/socket-hub.js';
import { HttpFaults, type FaultHandle, type FaultRule } from './http-faults.js';
import { Play, playGraph, type PromptScript } from './play.js';
import { GARBAGE_FRAMES, WireFaults, type FrameFate, type SentMessage } from './wire-faults.js';

export { playGraph, SMALL_PNG, type PromptScript } from './play.js';
export type { FaultRule } from './http-faults.js';
export type { FrameFate, SentMessage } from './wire-faults.js';

export interface ScriptedEngineOptions {
  /** The engine generation to imitate (`0.33.0`). */
  readonly version?: Generation;
  /** The `/object_info` document (default: empty). */
  readonly objectInfo?: string;
  /** Validates prompts; by default everything is accepted, and nodes that no link uses are outputs. */
  readonly check?: PromptCheck;
  /** Default: a free port. */
  readonly port?: number;
}

/** A received request. */
interface SeenRequest {
  readonly method: string;
  /** Including its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Maximum remembered requests. */
const MAX_SEEN = 10_000;

/**
 * An engine whose prompts follow a script and whose protocol breaks on request. For tests of engine clients; its queue,
 * history, files and sockets are those of the built-in engine's server.
 */
export class ScriptedEngine {
  /** Every started prompt, in order, across restarts. */
  readonly prompts: QueuedPrompt[] = [];
  readonly requests: SeenRequest[] = [];
  private readonly faults = new HttpFaults();
  private readonly wire = new WireFaults();
  private readonly nextScripts: PromptScript[] = [];
  private script: PromptScript = playGraph;
  private server: ProtocolServer | null = null;
  private life = new AbortController();
  private socketsRefused = false;
  private historyHiddenUntil = 0;
  private port = 0;

  private constructor(
    private readonly options: ScriptedEngineOptions,
    private readonly directory: string,
    private readonly folders: ServedFolders,
    private objectInfo: string,
  ) {}

  static async start(options: ScriptedEngineOptions = {}): Promise<ScriptedEngine> {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-scripted-engine-'));
    const folders = await ServedFolders.at(directory);
    const engine = new ScriptedEngine(options, directory, folders, options.objectInfo ?? '{}');
    await engine.comeUp();
    return engine;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connected clients. */
  get socketCount(): number {
    return this.server?.hub.sockets.size ?? 0;
  }

  /** Sets the script of all prompts from now on. */
  onPrompt(script: PromptScript): void {
    this.script = script;
  }

  /**
   * Sets the script of the next prompt, before `onPrompt` applies again; may be called for several prompts in advance.
   */
  onNextPrompt(script: PromptScript): void {
    this.nextScripts.push(script);
  }

  /** Breaks requests: refusals, silence, reset connections, endless answers. */
  breakRequests(rule: FaultRule): FaultHandle {
    return this.faults.add(rule);
  }

  /** Drops, repeats or delays WebSocket messages. */
  tamperMessages(fate: (message: SentMessage) => FrameFate): void {
    this.wire.tamper(fate);
  }

  /** Ends all faults of requests and messages. */
  heal(): void {
    this.faults.clear();
    this.wire.heal();
    this.socketsRefused = false;
    this.historyHiddenUntil = 0;
  }

  /** Closes every WebSocket; clients may reconnect at once unless `refuse` is set. */
  dropSockets(refuse = false): void {
    this.socketsRefused = refuse;
    this.server?.hub.terminate();
  }

  /** Sends a raw frame to every client. */
  sendToAll(frame: SocketFrame): void {
    for (const socket of this.server?.hub.sockets ?? []) socket.send(frame);
  }

  sendGarbage(): void {
    for (const frame of GARBAGE_FRAMES) this.sendToAll(frame);
  }

  /** For this long, ended prompts appear neither in the queue nor in the history. */
  hideHistory(ms: number): void {
    this.historyHiddenUntil = performance.now() + ms;
  }

  /** A prompt of another client, with its own client id; runs `script`, or like all prompts. */
  async foreignPrompt(graph: PromptGraph, script?: PromptScript): Promise<string> {
    if (script !== undefined) this.onNextPrompt(script);
    const body = JSON.stringify({ prompt: graph, client_id: 'somebody-else', prompt_id: randomUUID() });
    const response = await fetch(`${this.url}/prompt`, { method: 'POST', body });
    return ((await response.json()) as { prompt_id: string }).prompt_id;
  }

  setObjectInfo(objectInfo: string): void {
    this.objectInfo = objectInfo;
  }

  /** The path of an engine file, whether or not it exists. */
  async filePath(type: FolderType, filename: string, subfolder = ''): Promise<string> {
    const path = await this.folders.locate(type, subfolder, filename);
    if (path === null) throw new RangeError(`${filename} leads out of the folder`);
    return path;
  }

  /** Closes the port and drops queue, history and temporary files. */
  async goDown(): Promise<void> {
    const { server } = this;
    this.server = null;
    this.life.abort();
    await server?.close();
    await rm(this.folders.path('temp'), { recursive: true, force: true });
  }

  /** Restarts on the same port, without any earlier state. */
  async comeUp(): Promise<void> {
    await ServedFolders.at(this.directory);
    this.life = new AbortController();
    const { signal } = this.life;
    const { version = '0.33.0', check = lenientCheck } = this.options;
    const server = new ProtocolServer({
      generation: version,
      folders: this.folders,
      objectInfo: () => this.objectInfo,
      check,
      runner: { run: (prompt, stage, interruption) => this.play(prompt, stage, interruption, signal) },
      wire: (socket, frame) => this.wire.pass(socket, frame),
      intercept: (request, response) => this.intercept(request, response),
      admitsSockets: () => !this.socketsRefused,
    });
    this.port = await server.listen(this.port === 0 ? (this.options.port ?? 0) : this.port, '127.0.0.1');
    this.server = server;
  }

  async restart(downMs = 0): Promise<void> {
    await this.goDown();
    if (downMs > 0) await delay(downMs);
    await this.comeUp();
  }

  async close(): Promise<void> {
    await this.goDown();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async play(
    prompt: QueuedPrompt,
    stage: PromptStage,
    interruption: AbortSignal,
    life: AbortSignal,
  ): Promise<PromptEnding> {
    this.prompts.push(prompt);
    const script = this.nextScripts.shift() ?? this.script;
    const died = new Promise<PromptEnding>((done) =>
      life.addEventListener('abort', () => done({ kind: 'interrupted' }), { once: true }),
    );
    const play = new Play(prompt, stage, interruption, this.folders);
    const ending = await Promise.race([script(play), died]);
    return ending ?? { kind: 'succeeded' };
  }

  private async intercept(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { method = 'GET', url = '/', headers } = request;
    this.requests.push({ method, path: url, headers });
    if (this.requests.length > MAX_SEEN) this.requests.shift();
    if (await this.faults.strike(request, response)) return true;
    const asksForEnded = method === 'GET' && /^(?:\/api)?\/(?:history|api\/jobs|jobs)\b/.test(url);
    if (!asksForEnded || performance.now() >= this.historyHiddenUntil) return false;
    const isJob = url.includes('/jobs');
    response.writeHead(isJob ? 404 : 200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(isJob ? '{"error": "Job not found"}' : '{}');
    return true;
  }
}
