import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from './process-identity.js';

/** The status that a running server writes into its data folder (postmaster.pid). */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** `starting`, `ready`, `stopping`, or at first empty. */
  readonly status: string;
}

function readPostmaster(pgdata: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0
      ? { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The live server of exactly this data folder: not a zombie, not another process with a recycled id. */
export function livePostmaster(pgdata: string): Postmaster | undefined {
  const written = readPostmaster(pgdata);
  return written && isServerProcess(written.pid, pgdata) ? written : undefined;
}

function isServerProcess(pid: number, pgdata: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgdata);
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).includes(pgdata);
  } catch {
    return false;
  }
}

/** Backends may outlive a killed postmaster for a moment; a new server must not start beside them. */
function orphanedBackends(pgdata: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isServerProcess(pid, pgdata));
}

/**
 * Removes the pid file of a server that is certainly gone, so that a zombie or a recycled process id does not block the
 * next server. While a backend of the old server lives, the file stays and the result is false.
 */
export function clearStalePostmaster(pgdata: string): boolean {
  if (!readPostmaster(pgdata)) return true;
  if (orphanedBackends(pgdata).length > 0) return false;
  if (process.platform === 'linux') rmSync(join(pgdata, 'postmaster.pid'), { force: true });
  return true;
}
