import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeDataFolder } from '@heddle/platform-database';
import { program } from '@heddle/platform-telemetry/program';
import { AlreadyRunningError } from './already-running-error.js';
import { launcherLock, readState } from './status/cluster-state.js';

const READY_WITHIN_MS = 600_000;
const POLL_MS = 100;

/** Starts the same command in the background, prints its output, and resolves with its URL when it is ready. */
export async function detach(dataDir: string, words: readonly string[]): Promise<string> {
  makeDataFolder(dataDir);
  const holder = launcherLock(dataDir).holder();
  if (holder !== undefined) throw new AlreadyRunningError(dataDir, holder.pid);
  const logFile = join(dataDir, 'launcher.log');
  const log = openSync(logFile, 'a+', 0o600);
  let read = fstatSync(log).size;
  /** Its output since the last call. */
  const show = (): void => {
    const news = Buffer.alloc(fstatSync(log).size - read);
    read += readSync(log, news, 0, news.length, read);
    process.stderr.write(news);
  };
  const rest = words.filter((word) => word !== '--detach');
  const child = spawn(process.execPath, [...program('cluster'), ...rest], {
    detached: true,
    stdio: ['ignore', 'ignore', log],
  });
  const ended = new Promise<true>((done) => child.once('exit', () => done(true)).once('error', () => done(true)));
  try {
    for (const deadline = performance.now() + READY_WITHIN_MS; ;) {
      show();
      const { state } = readState(dataDir);
      if (state?.pid === child.pid && state?.url !== null && state !== null) return state.url;
      const over = await Promise.race([ended, delay(POLL_MS, false)]);
      if (over || performance.now() > deadline) break;
    }
    child.kill('SIGTERM');
    show();
    throw new Error(`the cluster did not start; its log: ${logFile}`);
  } finally {
    child.unref();
    closeSync(log);
  }
}
