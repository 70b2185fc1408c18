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

  /** `entry`: the module that a thread runs. */
  constructor(private readonly entry: string = ENTRY) {}

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
    const worker = new Worker(this.entry, {
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    // Its end follows, and with it whatever it had to write is told; without a listener an error would end the process.
    worker.on('error', () => undefined);
    worker.once('exit', () => this.#ended(worker));
    return worker;
  }

  /** One that rests may end too: it is given nothing more, and others do what waits. */
  #ended(worker: Worker): void {
    this.#count -= 1;
    const place = this.#idle.indexOf(worker);
    if (place >= 0) this.#idle.splice(place, 1);
    const other = this.#line.length > 0 ? this.#another() : null;
    if (other !== null) this.#next(other);
  }

  #next(worker: Worker): void {
    const task = this.#line.shift();
    if (task === undefined) return this.#rest(worker);
    const { path, bytes } = task;
    const died = (): void => task.reject(new Error('a thread that writes to the disk ended'));
    worker.once('exit', died);
    worker.once('message', (answer: Written) => {
      worker.off('exit', died);
      this.#next(worker);
      if (answer.ok) task.resolve();
      else task.reject(Object.assign(new Error(answer.message), { code: answer.code }));
    });
    worker.ref();
    worker.postMessage({ path, bytes } satisfies WholeFile, [bytes.buffer]);
  }

  /** An idle thread keeps no process alive. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#idle.push(worker);
  }
}
