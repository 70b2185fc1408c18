import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/** Who runs the cluster of a data folder. */
export interface RunNote {
  readonly pid: number;
  readonly url: string | null;
}

export function noteFile(dataDir: string): string {
  return join(dataDir, 'cluster.json');
}

export function writeNote(dataDir: string, note: RunNote): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(noteFile(dataDir), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

export function removeNote(dataDir: string): void {
  rmSync(noteFile(dataDir), { force: true });
}

/** Null where no launcher of this folder lives. */
export function readNote(dataDir: string): RunNote | null {
  try {
    const note = JSON.parse(readFileSync(noteFile(dataDir), 'utf8')) as RunNote;
    return isLauncher(note.pid) ? note : null;
  } catch {
    return null;
  }
}

/** SIGTERM, and resolves when it is gone. False: there was nothing to stop. */
export async function stopLauncher(dataDir: string, withinMs: number): Promise<boolean> {
  const note = readNote(dataDir);
  if (note === null) return false;
  process.kill(note.pid, 'SIGTERM');
  const deadline = performance.now() + withinMs;
  while (isLauncher(note.pid)) {
    if (performance.now() > deadline) throw new Error(`process ${note.pid} did not stop within ${withinMs / 1000} s`);
    await delay(POLL_MS);
  }
  return true;
}

/** A process id is used again by others: the command line says whether it is a launcher. */
function isLauncher(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dist/cluster.js');
  } catch {
    return false;
  }
}
