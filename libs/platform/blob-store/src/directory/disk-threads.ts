import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { KeyPath } from './key-path.js';
import type { WholeFile, Written } from './whole-file-thread.js';

/** Built code, also when this file is run from its source. */
const ENTRY = fileURLToPath(new URL('../../dist/directory/whole-file-thread.js', import.meta.url));
const MOST_THREADS = 4;

interface Task {
  readonly path: KeyPath;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Threads that write whole files. Five calls to the disk follow each other for each; made from the event loop, each one
 * is a change of threads and back and waits its turn there. A thread makes all of them in one go.
 */
export class DiskThreads {
  readonly #idle: Worker[] = [];
  readonly #line: Task[] = [];
  #count = 0;

  /** `bytes` are taken over. Rejects with the system's error, its `code` included. */
  async write(path: KeyPath, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#line.push({ path, bytes, resolve, reject });
      const worker = this.#idle.pop() ?? this.#another();
      if (worker !== null) this.#next(worker);
    });
  }

  /** A thread that is started ahead of need. */
  prestart(): void {
    if (this.#count > 0) return;
    const worker = this.#another();
    if (worker !== null) this.#rest(worker);
  }

  #another(): Worker | null {
    if (this.#count >= MOST_THREADS) return null;
    this.#count += 1;
    return new Worker(ENTRY, { resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 } });
  }

  #next(worker: Worker): void {
    const task = this.#line.shift();
    if (task === undefined) return this.#rest(worker);
    const { path, bytes } = task;
    const leave = (): void => void worker.off('message', written).off('error', died).off('exit', ended);
    const written = (answer: Written): void => {
      leave();
      this.#next(worker);
      if (answer.ok) task.resolve();
      else task.reject(Object.assign(new Error(answer.message), { code: answer.code }));
    };
    const died = (error: Error): void => {
      leave();
      this.#count -= 1;
      task.reject(error);
      const other = this.#line.length > 0 ? this.#another() : null;
      if (other !== null) this.#next(other);
    };
    const ended = (): void => died(new Error('a thread that writes to the disk ended'));
    worker.on('message', written).once('error', died).once('exit', ended);
    worker.ref();
    worker.postMessage({ path, bytes } satisfies WholeFile, [bytes.buffer]);
  }

  /** An idle thread keeps no process alive. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#idle.push(worker);
  }
}
