import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InstanceLock } from '@heddle/platform-database';
import type { ProcessStatus } from '../supervise/process-lives.js';

/** What the launcher of a data folder says of itself and its processes. */
export interface ClusterState {
  readonly pid: number;
  /** Null until everything serves. */
  readonly url: string | null;
  readonly startedAt: string;
  /** Of the log: without user and password; null: the embedded server of this folder. */
  readonly databaseUrl: string | null;
  readonly brokers: readonly string[];
  readonly s3Endpoint: string | null;
  readonly processes: readonly ProcessStatus[];
  /** Why it ended by itself; null while it runs, and after it was stopped. */
  readonly ended: string | null;
}

/** Who may run the cluster of a folder: one launcher at a time. It lets go with its process, however that ends. */
export function launcherLock(dataDir: string): InstanceLock {
  return new InstanceLock(dataDir, dataDir);
}

/** By a rename: a reader finds the old state or the new one, never half a file. */
export function writeState(dataDir: string, state: ClusterState): void {
  const draft = `${stateFile(dataDir)}.new`;
  writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(draft, stateFile(dataDir));
}

export function removeState(dataDir: string): void {
  rmSync(stateFile(dataDir), { force: true });
}

/** `running`: a launcher of this folder lives. The state of one that was killed, or ended by itself, stays to be read. */
export interface FoundState {
  readonly running: boolean;
  readonly state: ClusterState | null;
}

export function readState(dataDir: string): FoundState {
  const holder = launcherLock(dataDir).holder();
  const state = stateIn(dataDir);
  // Another launcher wrote it, and the one that runs now has not yet.
  if (holder !== undefined && state?.pid !== holder.pid) return { running: true, state: null };
  return { running: holder !== undefined, state };
}

function stateIn(dataDir: string): ClusterState | null {
  try {
    return JSON.parse(readFileSync(stateFile(dataDir), 'utf8')) as ClusterState;
  } catch {
    return null;
  }
}

function stateFile(dataDir: string): string {
  return join(dataDir, 'cluster.json');
}
