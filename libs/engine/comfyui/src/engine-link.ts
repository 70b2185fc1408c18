import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EngineCalls } from './calls/engine-calls.js';
import { EngineCallError } from './calls/call-error.js';
import { at, isRecord, textAt } from './calls/json-shape.js';
import type { EngineLimits, EngineTiming } from './engine-options.js';
import { readBinaryMessage } from './socket/binary-message.js';
import { readTextMessage } from './socket/engine-event.js';
import type { PromptEvent } from './socket/engine-event.js';
import { EngineLog, readLogMessage } from './socket/engine-log.js';
import { EngineSocket } from './socket/engine-socket.js';

/** Receives connection changes and prompt events. */
interface LinkListener {
  opened(): void;
  closed(): void;
  event(promptId: string, event: PromptEvent): void;
}

const VERSION = /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,60}$/;

/** Calls and socket of one engine, its version and its latest node classes. */
export class EngineLink {
  readonly calls: EngineCalls;
  readonly #timing: EngineTiming;
  readonly #socket: EngineSocket;
  readonly #log: EngineLog;
  readonly #listeners: LinkListener[] = [];
  readonly #waiting = new Set<() => void>();
  #version: string | null = null;
  #catalogue: string | null = null;
  #isFresh = false;
  #refreshing: Promise<string> | null = null;
  #outputClasses: ReadonlySet<string> | null = null;
  /** The prompt that the engine last reported as executing: images without metadata belong to it. */
  #current: { promptId: string; nodeId: string } | null = null;

  constructor(url: string, clientId: string, timing: EngineTiming, limits: EngineLimits) {
    this.#timing = timing;
    this.calls = new EngineCalls(url, timing, limits);
    this.#log = new EngineLog(this.calls, clientId);
    const listener = {
      opened: () => this.#opened(),
      closed: () => this.#closed(),
      text: (message: string) => this.#text(message),
      binary: (message: Buffer) => this.#binary(message),
    };
    this.#socket = new EngineSocket(url, clientId, listener, { timing, limits });
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  get version(): string | null {
    return this.#version;
  }

  /** The classes of output nodes; null until the engine has described its classes. */
  get outputClasses(): ReadonlySet<string> | null {
    return this.#outputClasses;
  }

  start(): void {
    this.#socket.start();
  }

  listen(listener: LinkListener): void {
    this.#listeners.push(listener);
  }

  /** Resolves once the engine was asked to send its log. */
  wantLog(): Promise<void> {
    return this.#log.want();
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.calls.close();
  }

  /**
   * Resolves with true once the engine is there, with false when the signal aborts before. `onAway` hears of each look
   * in vain.
   */
  async reached(signal: AbortSignal, onAway?: () => void): Promise<boolean> {
    while (!this.isOpen) {
      if (signal.aborted) return false;
      if (await this.#answersBefore(signal)) {
        // An engine that answers calls accepts the socket too, unless a proxy blocks it: then polling must do.
        await this.#opens(signal, this.#timing.blindPollMs);
        return true;
      }
      onAway?.();
      await this.#opens(signal, this.#timing.blindPollMs);
    }
    return true;
  }

  /** The node classes; requested once per connection, and the last known ones while the engine is unreachable. */
  async catalogue(): Promise<string> {
    if (this.#catalogue !== null && (this.#isFresh || !this.isOpen)) return this.#catalogue;
    return this.refresh();
  }

  /**
   * Requests version and node classes now; concurrent callers share the answer.
   * @throws EngineCallError
   */
  refresh(): Promise<string> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null));
    return this.#refreshing;
  }

  async #refresh(): Promise<string> {
    await this.#readVersion();
    const { status, json, text } = await this.calls.get('/object_info');
    if (status !== 200 || !isRecord(json)) {
      throw new EngineCallError('unreadable', 'GET /object_info', `status ${status}, no node classes`);
    }
    // Equal text stays the same string, so that readers can compare by identity.
    if (text !== this.#catalogue) {
      this.#catalogue = text;
      this.#outputClasses = new Set(Object.keys(json).filter((name) => at(json[name], 'output_node') === true));
    }
    this.#isFresh = this.isOpen;
    return this.#catalogue ?? text;
  }

  async #readVersion(): Promise<void> {
    const { status, json } = await this.calls.get('/system_stats');
    // Another web server, or a proxy in front of an unreachable engine.
    if (status !== 200) throw new EngineCallError('unreadable', 'GET /system_stats', `status ${status}`);
    const version = textAt(at(json, 'system'), 'comfyui_version');
    if (version !== null && VERSION.test(version)) this.#version = version;
  }

  /** False also once the signal aborts: an engine that hangs may take a call's whole time. */
  async #answersBefore(signal: AbortSignal): Promise<boolean> {
    const over = new AbortController();
    const aborted = once(signal, 'abort', { signal: over.signal }).then(
      () => false,
      () => false,
    );
    const answers = await Promise.race([this.#answers(), aborted]);
    over.abort();
    return answers;
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#readVersion();
      return true;
    } catch {
      return false;
    }
  }

  async #opens(signal: AbortSignal, limitMs: number): Promise<boolean> {
    const over = new AbortController();
    const opened = new Promise<void>((resolve) => this.#waiting.add(resolve));
    await Promise.race([
      opened,
      pause(limitMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined),
    ]);
    over.abort();
    return this.isOpen;
  }

  #opened(): void {
    this.#log.connected();
    this.catalogue().catch(() => undefined);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
    for (const listener of this.#listeners) listener.opened();
  }

  #closed(): void {
    this.#isFresh = false;
    this.#current = null;
    for (const listener of this.#listeners) listener.closed();
  }

  #text(message: string): void {
    const log = readLogMessage(message);
    if (log !== null) {
      if (this.#log.running !== null) this.#deliver(this.#log.running, { kind: 'log', text: log });
      return;
    }
    const routed = readTextMessage(message);
    if (routed === null) return;
    const { promptId, event } = routed;
    this.#log.seen(promptId, event);
    if (event.kind === 'executing') this.#current = { promptId, nodeId: event.displayNodeId };
    this.#deliver(promptId, event);
  }

  #binary(message: Buffer): void {
    const preview = readBinaryMessage(message);
    if (preview === null) return;
    const promptId = preview.promptId ?? this.#current?.promptId;
    const nodeId = preview.nodeId ?? this.#current?.nodeId;
    if (promptId === undefined || nodeId === undefined) return;
    this.#deliver(promptId, { kind: 'preview', nodeId, contentType: preview.contentType, bytes: preview.bytes });
  }

  #deliver(promptId: string, event: PromptEvent): void {
    for (const listener of this.#listeners) listener.event(promptId, event);
  }
}
