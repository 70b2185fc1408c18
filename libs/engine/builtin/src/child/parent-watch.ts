import { Worker } from 'node:worker_threads';

const INTERVAL_MS = 500;

/**
 * Ends this process when its parent is gone, even in the middle of a node that never yields: a second thread looks at
 * the parent's process id. (A closed channel alone is noticed between turns only.)
 */
export function watchParent(): void {
  const source = `
    const { workerData } = require('node:worker_threads');
    setInterval(() => {
      if (process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL');
    }, workerData.interval);`;
  const worker = new Worker(source, {
    eval: true,
    workerData: { parent: process.ppid, interval: INTERVAL_MS },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  worker.unref();
}
