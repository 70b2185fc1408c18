import { parentPort } from 'node:worker_threads';
import { runRows, type RowTask } from './row-task.js';

// The second thread of an engine process: it computes rows into memory that both threads see.
parentPort?.on('message', (task: RowTask) => {
  void runRows(task, () => undefined).then(() => {
    parentPort?.postMessage('done');
    // Nothing else would make this thread let go of the pictures that it has seen.
    setImmediate(() => globalThis.gc?.());
  });
});
