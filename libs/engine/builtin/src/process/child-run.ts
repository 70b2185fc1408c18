import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EngineFile, EngineOutcome } from '@heddle/engine-port';
import { OUT_OF_MEMORY } from '../execution/node-error.js';
import type { Ask, FromChild, SentOutput } from '../child/messages.js';
import type { EngineChild } from './engine-child.js';
import type { EngineDirectory } from './engine-directory.js';
import type { ResultCounters } from './name-counters.js';
import type { BuiltinObserver, BuiltinRun, EngineFolders, SentPicture } from './run-details.js';
import { watchResidentMemory } from './resident-watch.js';

/** What a run needs of its engine. */
interface RunSurroundings {
  readonly directory: EngineDirectory;
  readonly counters: ResultCounters;
  /** Where files are read and written; `null`: they travel with the run. */
  readonly folders: EngineFolders | null;
  /** Memory at which a process is ended as out of memory. */
  readonly residentBytes: number;
  /** How long a canceled run may take to stop by itself before its process is killed. */
  readonly cancelGraceMs: number;
}

type DetailKind = 'ready' | 'log' | 'cached' | 'executed' | 'progressText' | 'raised';

/** One run in one engine process: relays what happens to the observer and settles how it ended. */
export class ChildRun {
  private readonly files: ReadonlyMap<string, EngineFile>;
  /** Name of its folder in the engine's directory. */
  private readonly folder: string;
  private readonly paths = new Map<string, Promise<string>>();
  private current: { nodeId: string; classType: string } | null = null;
  private ended = false;
  private canceled = false;
  private memoryExceeded = false;
  private usedFolder = false;
  /** The last output that the observer was given and has not accepted yet. */
  private handing: Promise<void> | null = null;
  /** An output was left out, as the run was canceled. */
  private isPartial = false;
  private settle: (outcome: EngineOutcome) => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;
  private graceTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: EngineChild,
    private readonly request: BuiltinRun,
    private readonly observer: BuiltinObserver,
    private readonly surroundings: RunSurroundings,
  ) {
    this.folder = surroundings.directory.nameFor(child.pid);
    this.files = new Map(request.files.map((file) => [file.name, file]));
  }

  /** Resolves when the graph ended or the process is gone; rejects when the observer or a file could not be used. */
  async run(signal: AbortSignal): Promise<EngineOutcome> {
    const { child, surroundings } = this;
    surroundings.directory.prepare(this.folder);
    const outcome = new Promise<EngineOutcome>((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
    });
    const cancel = (): void => this.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const unwatch = watchResidentMemory(child.pid, surroundings.residentBytes, () => {
      this.memoryExceeded = true;
      child.kill();
    });
    void child.exited.then((exit) => this.settle(this.outcomeOfExit(exit.reason, exit.outOfMemory)));
    child.listen((message) => this.receive(message));
    child.send({
      kind: 'run',
      account: this.request.account ?? '',
      workflow: this.request.workflow,
      files: [...this.files.keys()],
      directory: surroundings.directory.pathOf(this.folder),
      folders: surroundings.folders,
      targets: this.request.targets ?? null,
      extraPngInfo: this.request.extraPngInfo ?? null,
      log: this.observer.log !== undefined,
    });
    if (signal.aborted) this.cancel();
    try {
      const ending = await outcome;
      // An interrupted run may have left a file that was never reported.
      this.usedFolder ||= ending.kind !== 'succeeded';
      return ending;
    } finally {
      this.ended = true;
      clearTimeout(this.graceTimer);
      unwatch();
      signal.removeEventListener('abort', cancel);
      child.listen(null);
      if (!child.isAlive) {
        // It may still write; what could not be removed goes with the engine's whole folder.
        const gone = child.exited.then(() => surroundings.directory.clear(this.folder, true));
        gone.catch(() => undefined);
      } else if (this.usedFolder) await surroundings.directory.clear(this.folder, false);
    }
  }

  private cancel(): void {
    if (this.canceled) return;
    this.canceled = true;
    this.child.send({ kind: 'cancel' });
    this.graceTimer = setTimeout(() => {
      // Nothing survives this signal, so its effect need not be waited for.
      this.child.kill();
      this.settle({ kind: 'interrupted' });
    }, this.surroundings.cancelGraceMs);
  }

  private receive(message: FromChild): void {
    if (message.kind === 'done') {
      this.finish(message.outcome);
      return;
    }
    if (this.ended) return;
    if (this.canceled) {
      // Nobody wants to hear of progress; the process is about to stop.
      this.isPartial ||= message.kind === 'output' || (message.kind === 'request' && message.ask.about === 'output');
      return;
    }
    if (message.kind === 'nodeStarted') {
      this.current = { nodeId: message.nodeId, classType: message.classType };
      this.observer.nodeStarted(this.current);
    } else if (message.kind === 'nodeProgress') {
      this.observer.nodeProgress({ nodeId: message.nodeId, step: message.step, steps: message.steps });
    } else if (message.kind === 'nodeFinished') {
      const { nodeId, classType, startedAt, endedAt, cached } = message;
      this.observer.nodeFinished({ nodeId, classType, startedAt, endedAt, cached });
    } else if (message.kind === 'request') {
      this.reply(message.request, message.ask);
    } else if (message.kind === 'output') {
      this.hand(message.output, message.content).catch((error: unknown) => this.giveUp(error));
    } else {
      this.tellDetail(message);
    }
  }

  /** The process is done; the observer may still be busy with an output. A cancel that left one out wins over a success. */
  private finish(outcome: EngineOutcome): void {
    if (this.canceled) {
      const isWhole = !this.isPartial && this.handing === null;
      this.settle(outcome.kind === 'succeeded' && !isWhole ? { kind: 'interrupted' } : outcome);
    } else if (this.handing === null) {
      this.settle(outcome);
    } else {
      // Where the observer fails, that has ended the run.
      this.handing.then(
        () => this.finish(outcome),
        () => undefined,
      );
    }
  }

  private tellDetail(message: Extract<FromChild, { kind: DetailKind }>): void {
    if (message.kind === 'log') this.observer.log?.(message.text);
    else if (message.kind === 'cached') this.observer.cached?.(message.nodeIds);
    else if (message.kind === 'executed') this.observer.executed?.(message.nodeId, message.ui);
    else if (message.kind === 'progressText') this.observer.progressText?.(message.nodeId, message.text);
    else if (message.kind === 'raised') this.observer.raised?.(message.error);
  }

  private reply(request: number, ask: Ask): void {
    this.answerTo(ask).then(
      (value) => {
        if (!this.ended) this.child.send({ kind: 'answer', request, value });
      },
      (error: unknown) => this.giveUp(error),
    );
  }

  /** The run cannot continue without its file or its reader: it is stopped, and the error is reported. */
  private giveUp(error: unknown): void {
    this.fail(error);
    this.child.kill();
  }

  private async answerTo(ask: Ask): Promise<string | number | null> {
    if (ask.about === 'counter') {
      const { folder: subfolder, base, count } = ask;
      return this.surroundings.counters.take({ account: this.request.account ?? '', subfolder, base, count });
    }
    if (ask.about === 'file') return this.filePath(ask.name);
    const { content } = ask;
    if (typeof content === 'string') this.usedFolder = true;
    if (ask.about === 'picture') {
      const { nodeId, contentType, index, count } = ask;
      const bytes = typeof content === 'string' ? await this.readOutput(content) : content;
      this.tellPicture({ nodeId, contentType, bytes, index, count });
      return null;
    }
    await this.hand(ask.output, content);
    return null;
  }

  /** Outputs reach the observer one after the other. */
  private hand(output: SentOutput, content: Uint8Array | string): Promise<void> {
    const open = async (): Promise<Readable> =>
      typeof content === 'string'
        ? (await this.surroundings.directory.openOutput(content)).createReadStream()
        : Readable.from([content], { objectMode: false });
    const give = async (): Promise<void> => {
      if (this.ended || this.canceled) this.isPartial = true;
      else await this.observer.output({ ...output, open });
    };
    const handed = this.handing === null ? give() : this.handing.then(give);
    this.handing = handed;
    const rest = (): void => {
      if (this.handing === handed) this.handing = null;
    };
    handed.then(rest, rest);
    return handed;
  }

  private tellPicture(picture: SentPicture & { nodeId: string }): void {
    if (this.observer.sentPicture) {
      this.observer.sentPicture(picture);
      return;
    }
    const { nodeId, contentType, bytes, index, count } = picture;
    this.observer.preview({ nodeId, contentType, bytes });
    this.observer.nodeProgress({ nodeId, step: index + 1, steps: count });
  }

  private filePath(name: string): Promise<string> {
    const known = this.paths.get(name);
    if (known) return known;
    const file = this.files.get(name);
    if (!file) throw new RangeError('the engine asked for a file that the run does not have');
    const { localPath } = file;
    const isReadable = localPath !== undefined && !this.surroundings.directory.isOfOthers;
    const path = isReadable ? Promise.resolve(localPath) : this.transfer(file);
    this.paths.set(name, path);
    return path;
  }

  private async transfer(file: EngineFile): Promise<string> {
    this.usedFolder = true;
    const folder = await this.surroundings.directory.make(this.folder);
    const path = join(folder, `in-${this.paths.size}`);
    const input = await this.surroundings.directory.createInput(path);
    try {
      await pipeline(await file.open(), input.createWriteStream());
    } finally {
      // A file that does not open leaves the handle without a stream.
      await input.close();
    }
    return path;
  }

  private async readOutput(path: string): Promise<Buffer> {
    const file = await this.surroundings.directory.openOutput(path);
    return await file.readFile().finally(() => file.close());
  }

  private outcomeOfExit(reason: string, heapExhausted: boolean): EngineOutcome {
    if (heapExhausted || this.memoryExceeded) {
      return {
        kind: 'failed',
        code: 'out_of_memory',
        message: OUT_OF_MEMORY,
        nodeId: this.current?.nodeId ?? null,
        classType: this.current?.classType ?? null,
        traceback: null,
      };
    }
    return this.canceled ? { kind: 'interrupted' } : { kind: 'lost', reason: `the engine process ended (${reason})` };
  }
}
