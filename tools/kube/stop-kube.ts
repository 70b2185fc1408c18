import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity, removeEmbeddedData } from '@heddle/platform-database';
import { kubePlaces } from './kube-places.ts';
import { nodePlaces } from './node/node-places.ts';
import { removeNodeTraces } from './node/node-traces.ts';
import { stopLeftProcesses } from './processes/stop-left-processes.ts';

const STOPS_WITHIN_MS = 90_000;
const POLL_MS = 100;

interface Launcher {
  readonly pid: number;
  readonly identity: string | undefined;
}

const fileOf = (root: string): string => join(root, 'launcher.json');

/** The launcher of this folder while it runs. */
export function runningLauncher(root: string): Launcher | null {
  if (!existsSync(fileOf(root))) return null;
  const launcher = JSON.parse(readFileSync(fileOf(root), 'utf8')) as Launcher;
  return processIdentity(launcher.pid) === launcher.identity ? launcher : null;
}

/** Says that this process is the launcher. */
export function writeLauncher(root: string): void {
  const launcher: Launcher = { pid: process.pid, identity: processIdentity(process.pid) };
  writeFileSync(fileOf(root), JSON.stringify(launcher));
}

/** Stops what runs and removes what is left, also after a launcher that was killed. */
export async function stopKube(root: string, { keepData }: { readonly keepData: boolean }): Promise<string[]> {
  const launcher = runningLauncher(root);
  if (launcher !== null) {
    process.kill(launcher.pid, 'SIGTERM');
    for (const until = performance.now() + STOPS_WITHIN_MS; runningLauncher(root) !== null; await delay(POLL_MS))
      if (performance.now() > until) {
        process.kill(launcher.pid, 'SIGKILL');
        break;
      }
  }
  return await removeTraces(root, keepData);
}

/** The processes, what a real node left outside of the folder, then the folder. */
export async function removeTraces(root: string, keepData: boolean): Promise<string[]> {
  const places = kubePlaces(root);
  const removed = (await stopLeftProcesses(places.processes)).map((name) => `process ${name}`);
  removed.push(...(await removeNodeTraces(nodePlaces(root))));
  if (!keepData) {
    // As root, the database keeps its files where its own user may enter.
    removeEmbeddedData(places.database);
    rmSync(root, { recursive: true, force: true });
  }
  return removed;
}
