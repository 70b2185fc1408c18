import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { runRows, withRows, type RowTask } from './row-task.js';

/** Built code, also when this file is run from its source. */
const ENTRY = fileURLToPath(new URL('../../dist/threads/row-worker.js', import.meta.url));
/** Below this many samples a second thread costs more than it saves. */
const MIN_SAMPLES = 500_000;

/**
 * Computes the rows of a picture, the lower half on a second thread where the result lies in memory that both see and is
 * large enough. `afterRow` is called for the rows of this thread, as many as there are, so that a cancel finds its turn.
 */
export async function splitRows(task: RowTask, afterRow: (row: number) => void | Promise<void>): Promise<void> {
  const { to, firstRow, endRow } = task.work;
  const shared = to.buffer instanceof SharedArrayBuffer && to.length >= MIN_SAMPLES && endRow - firstRow > 1;
  if (!shared) return runRows(task, afterRow);
  const middle = firstRow + Math.ceil((endRow - firstRow) / 2);
  const lower = withRows(task, middle, endRow);
  const helping = secondThread.run(lower);
  // This thread's half stands for both when progress is reported.
  await runRows(withRows(task, firstRow, middle), (row) => afterRow(firstRow + (row - firstRow) * 2));
  if (!(await helping)) await runRows(lower, afterRow);
}

/** One thread that outlives the tasks; it starts with the first one and does one after the other. */
class SecondThread {
  private worker: Worker | null = null;
  /** The task under way. */
  private last: Promise<boolean> | null = null;

  /** Whether the task was done; it was not when the thread could not start or ended. */
  async run(task: RowTask): Promise<boolean> {
    // An idle thread gets its task at once: the caller is about to compute without a pause.
    while (this.last !== null) await this.last;
    const done = this.hand(task);
    this.last = done;
    const did = await done;
    this.last = null;
    return did;
  }

  private hand(task: RowTask): Promise<boolean> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve) => {
      const settle = (did: boolean) => (): void => {
        worker.off('message', succeeded).off('error', failed).off('exit', failed);
        if (!did) this.worker = null;
        resolve(did);
      };
      const succeeded = settle(true);
      const failed = settle(false);
      worker.once('message', succeeded).once('error', failed).once('exit', failed);
      worker.postMessage(task);
    });
  }

  private start(): Worker {
    const worker = new Worker(ENTRY, { resourceLimits: { maxOldGenerationSizeMb: 64 } });
    worker.unref();
    return worker;
  }
}

const secondThread = new SecondThread();
