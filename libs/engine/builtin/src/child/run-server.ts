import type { ClassInfo } from '../catalogue/class-info.js';
import { FolderFiles } from '../execution/folder-files.js';
import { GivenFiles } from '../execution/given-files.js';
import { NodeCache } from '../execution/node-cache.js';
import type { NodeImplementation } from '../execution/node-class.js';
import { InterruptedError } from '../execution/node-error.js';
import { PixelMemory } from '../execution/pixel-memory.js';
import { runGraph } from '../execution/run-graph.js';
import { RunFiles, type KnownHashes } from '../execution/run-files.js';
import { RunReport } from '../execution/run-report.js';
import type { ChildLimits } from './limits.js';
import type { Ask, FromChild, ToChild } from './messages.js';

/** A node that writes many lines at once does not collect them here. */
const MAX_UNSENT = 1_000;

interface Waiting {
  resolve(value: string | number | null): void;
  reject(error: Error): void;
}

/** Serves the runs of one engine process, one at a time, with a cache across runs. */
export class RunServer {
  private readonly cache: NodeCache;
  private readonly memory: PixelMemory;
  private readonly hashes: KnownHashes = new Map();
  private readonly waiting = new Map<number, Waiting>();
  private requests = 0;
  /** Messages that are sent with the next ones, at the latest when the event loop is idle */
  private unsent: FromChild[] = [];
  private report: RunReport | null = null;

  constructor(
    private readonly classes: ReadonlyMap<string, ClassInfo>,
    private readonly nodeClasses: ReadonlyMap<string, NodeImplementation>,
    limits: ChildLimits,
  ) {
    this.cache = new NodeCache(limits.cacheBytes, (buffer) => this.memory.reuse(buffer));
    this.memory = new PixelMemory(limits.pixelBytes, this.cache);
  }

  /** Handles a message of the parent. The channel carries nothing else. */
  receive(received: unknown): void {
    const message = received as ToChild;
    if (message.kind === 'run') void this.run(message);
    else if (message.kind === 'cancel') this.cancel();
    else this.answer(message.request, message.value);
  }

  send(message: FromChild): void {
    this.unsent.push(message);
    const isUrgent = message.kind !== 'nodeFinished' && message.kind !== 'output' && message.kind !== 'log';
    if (isUrgent || this.unsent.length >= MAX_UNSENT) this.flush();
    else if (this.unsent.length === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const messages = this.unsent;
    this.unsent = [];
    // Without a parent, messages are dropped, and this process ends.
    if (messages.length > 0 && process.connected) process.send?.(messages);
  }

  private async run(message: Extract<ToChild, { kind: 'run' }>): Promise<void> {
    const source =
      message.folders === null
        ? new GivenFiles(message.files, (name) => this.fetch(name))
        : new FolderFiles(message.folders);
    const files = new RunFiles(source, this.hashes);
    const report = new RunReport(
      { send: (sent) => this.send(sent), ask: (ask) => this.ask(ask) },
      this.memory,
      {
        directory: message.directory,
        folders: message.folders,
        extraPngInfo: message.extraPngInfo,
        log: message.log,
      },
      (name) => files.path(name),
    );
    this.report = report;
    const text = new TextDecoder().decode(message.workflow);
    const { classes, nodeClasses, cache } = this;
    const { targets, account } = message;
    const outcome = await runGraph(text, { classes, nodeClasses, cache, files, report, targets, account });
    this.report = null;
    this.send({ kind: 'done', outcome });
  }

  private cancel(): void {
    if (this.report) this.report.canceled = true;
    for (const { reject } of this.waiting.values()) reject(new InterruptedError());
    this.waiting.clear();
  }

  private async fetch(name: string): Promise<string> {
    return String(await this.ask({ about: 'file', name }));
  }

  private ask(ask: Ask): Promise<string | number | null> {
    if (this.report?.canceled === true) return Promise.reject(new InterruptedError());
    this.requests += 1;
    const request = this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(request, { resolve, reject });
      this.send({ kind: 'request', request, ask });
    });
  }

  private answer(request: number, value: string | number | null): void {
    this.waiting.get(request)?.resolve(value);
    this.waiting.delete(request);
  }
}
