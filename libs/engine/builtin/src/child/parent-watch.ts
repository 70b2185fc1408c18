import { Worker } from 'node:worker_threads';

const INTERVAL_MS = 500;

/**
 * Ends this process when its parent is gone, even during a node that never yields: a second thread checks the parent's pid.
 * The event loop alone would notice the closed channel only between nodes.
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
