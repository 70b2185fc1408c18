import type { Engine, EngineOutcome } from '@heddle/engine-port';
import { objectInfoText } from './catalogue/class-info.js';
import { ChildPool } from './process/child-pool.js';
import { ChildRun } from './process/child-run.js';
import { EngineChild } from './process/engine-child.js';
import type { EngineUser } from './process/engine-user.js';
import { EngineDirectory } from './process/engine-directory.js';
import { FolderCounters } from './process/folder-counters.js';
import { NameCounters, type ResultCounters } from './process/name-counters.js';
import type { BuiltinObserver, BuiltinRun, EngineFolders } from './process/run-details.js';

const MEBIBYTE = 1024 * 1024;
/** Memory of an engine process beyond heap and pixels: runtime, decoder, buffers in transit */
const OVERHEAD_BYTES = 512 * MEBIBYTE;

/** Limits of the built-in engine, each with a default */
export interface BuiltinEngineOptions {
  /** Concurrent runs, each in a separate process (1) */
  readonly processes?: number;
  /** Limit on pixels and file buffers of one process in bytes (2 GiB). A run that needs more fails as out of memory. */
  readonly pixelBytes?: number;
  /** Limit on cached node results of one process in bytes (512 MiB); part of `pixelBytes` */
  readonly cacheBytes?: number;
  /** JavaScript heap of one process in bytes (512 MiB) */
  readonly heapBytes?: number;
  /** Milliseconds until the process of a canceled run is killed if the run does not stop (40) */
  readonly cancelGraceMs?: number;
  /** User of the engine processes if this process is root (`engineUser`); absent: the same user. */
  readonly user?: EngineUser;
  /** Folders of ComfyUI's protocol; absent: files come with each run, and outputs go to the observer. */
  readonly folders?: EngineFolders;
}

/**
 * Runs graphs of nodes without a model or a GPU, with the names, semantics and pixels of the real engine. Runs in child
 * processes: a crash loses the attempt, and exhausted memory fails it, but neither harms the service.
 */
export class BuiltinEngine implements Engine {
  readonly environment = 'builtin/0.1.0';
  private readonly pool: ChildPool;
  private readonly counters: ResultCounters;
  private readonly folders: EngineFolders | null;
  private readonly user: EngineUser | undefined;
  private readonly size: number;
  private readonly residentBytes: number;
  private readonly cancelGraceMs: number;
  private directory: Promise<EngineDirectory> | null = null;

  constructor(options: BuiltinEngineOptions = {}) {
    const { pixelBytes = 2048 * MEBIBYTE, heapBytes = 512 * MEBIBYTE } = options;
    const cacheBytes = Math.min(options.cacheBytes ?? 512 * MEBIBYTE, pixelBytes);
    this.size = options.processes ?? 1;
    this.folders = options.folders ?? null;
    this.user = options.user;
    this.counters = this.folders === null ? new NameCounters() : new FolderCounters(this.folders.output);
    this.residentBytes = pixelBytes + heapBytes + OVERHEAD_BYTES;
    this.cancelGraceMs = options.cancelGraceMs ?? 40;
    this.pool = new ChildPool(this.size, () => new EngineChild({ pixelBytes, cacheBytes }, heapBytes, this.user));
  }

  /** Starts every process now instead of with the first run, and replaces processes that die at once. */
  prestart(): Promise<void> {
    return this.pool.keepWarm(this.size);
  }

  async objectInfo(): Promise<string> {
    return builtinObjectInfo();
  }

  async run(request: BuiltinRun, observer: BuiltinObserver, signal: AbortSignal): Promise<EngineOutcome> {
    if (signal.aborted) return { kind: 'interrupted' };
    this.directory ??= EngineDirectory.create({ user: this.user });
    const directory = await this.directory;
    let child: EngineChild | null;
    try {
      child = await this.pool.take(signal);
    } catch (error) {
      return { kind: 'lost', reason: error instanceof Error ? error.message : 'no engine process' };
    }
    if (child === null) return { kind: 'interrupted' };
    try {
      const { counters, folders, residentBytes, cancelGraceMs } = this;
      const surroundings = { directory, counters, folders, residentBytes, cancelGraceMs };
      return await new ChildRun(child, request, observer, surroundings).run(signal);
    } finally {
      this.pool.giveBack(child);
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
    await (await this.directory)?.remove();
  }
}

/** The catalogue of the built-in engine as JSON in the form of `/object_info`. Starts no process. */
export function builtinObjectInfo(): string {
  return objectInfoText(process.env['HEDDLE_TEST_NODES'] === '1');
}
