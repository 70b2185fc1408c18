import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InstanceLock } from '@heddle/platform-database';
import type { ProcessStatus } from '../supervise/process-lives.js';

/** State of a launcher and its processes, stored in its data folder. */
export interface ClusterState {
  readonly pid: number;
  /** Null until everything is ready. */
  readonly url: string | null;
  readonly startedAt: string;
  /** Database of the log, without user and password; null: the embedded server of this folder. */
  readonly databaseUrl: string | null;
  readonly brokers: readonly string[];
  readonly s3Endpoint: string | null;
  readonly processes: readonly ProcessStatus[];
  /** Why it ended by itself; null while it runs, and after it was stopped. */
  readonly ended: string | null;
}

/** Lock of a cluster's folder: one launcher at a time. Released with its process, however that ends. */
export function launcherLock(dataDir: string): InstanceLock {
  return new InstanceLock(dataDir, dataDir);
}

/** By rename: a reader sees the old or the new state, never half a file. */
export function writeState(dataDir: string, state: ClusterState): void {
  const draft = `${stateFile(dataDir)}.new`;
  writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(draft, stateFile(dataDir));
}

export function removeState(dataDir: string): void {
  rmSync(stateFile(dataDir), { force: true });
}

/**
 * `running`: a launcher of this folder is alive. The state of one that was killed, or ended by itself, can still be
 * read.
 */
interface FoundState {
  readonly running: boolean;
  readonly state: ClusterState | null;
}

export function readState(dataDir: string): FoundState {
  const holder = launcherLock(dataDir).holder();
  const state = stateIn(dataDir);
  // Written by another launcher; the running one has not written yet.
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
