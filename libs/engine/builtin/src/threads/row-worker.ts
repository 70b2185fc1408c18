import { parentPort } from 'node:worker_threads';
import { runRows, type RowTask } from './row-task.js';

/** An idle thread lets go of the pictures that it has seen; nothing else would make it. */
const IDLE_MS = 10;
/** A busy one does so after as many bytes of pictures. */
const COLLECT_AFTER_BYTES = 256 * 1024 * 1024;

let seen = 0;
let idle: NodeJS.Timeout | undefined;

// The second thread of an engine process: it computes rows into memory that both threads see.
parentPort?.on('message', (task: RowTask) => {
  clearTimeout(idle);
  void runRows(task, () => undefined).then(() => {
    parentPort?.postMessage('done');
    const upper = task.kind === 'blend' ? task.work.upper.byteLength : 0;
    seen += task.work.from.byteLength + upper + task.work.to.byteLength;
    if (seen > COLLECT_AFTER_BYTES) setImmediate(collect);
    else idle = setTimeout(collect, IDLE_MS);
  });
});

function collect(): void {
  globalThis.gc?.();
  seen = 0;
}
