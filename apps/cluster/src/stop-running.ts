import { setTimeout as delay } from 'node:timers/promises';
import { launcherLock, removeState } from './status/cluster-state.js';
import { stopLeftovers } from './stop-leftovers.js';

/** Longer than a launcher takes to end remaining processes. */
const STOP_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Stops a folder's cluster, or leftovers of a killed launcher, and says which. */
export async function stopRunning(dataDir: string): Promise<string> {
  const launcher = await stopLauncher(dataDir);
  const leftovers = await stopLeftovers(dataDir);
  removeState(dataDir);
  return launcher || leftovers ? 'stopped' : `no cluster runs in ${dataDir}`;
}

/** Sends SIGTERM and resolves when it is gone. False: nothing was running. */
async function stopLauncher(dataDir: string): Promise<boolean> {
  const lock = launcherLock(dataDir);
  const pid = lock.holder()?.pid;
  if (pid === undefined) return false;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + STOP_WITHIN_MS;
  while (lock.holder()?.pid === pid) {
    if (performance.now() > deadline) throw new Error(`process ${pid} did not stop within ${STOP_WITHIN_MS / 1_000} s`);
    await delay(POLL_MS);
  }
  return true;
}
