import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { processIdentity } from '@heddle/platform-database';
import { ExportError } from './manifest.js';

export const LOCK_FILE = '.export.lock';

/** Who holds the lock of a place. The token identifies one of several exports of a process. */
export interface ExportHolder {
  readonly pid: number;
  /** Of the process, which a later one with its number does not have. */
  readonly identity: string;
  readonly host: string;
  readonly token: string;
}

export function ownHolder(): ExportHolder {
  const { pid } = process;
  return { pid, identity: processIdentity(pid) ?? '', host: hostname(), token: randomUUID() };
}

/** Of a process of another host nobody here knows it. */
export function hasEnded({ pid, identity, host }: ExportHolder, own: ExportHolder): boolean {
  return host === own.host && processIdentity(pid) !== identity;
}

export function busyError(holder: ExportHolder | null, place: string, nextStep: string): ExportError {
  const who = holder === null ? '' : ` (process ${holder.pid} of ${holder.host})`;
  return new ExportError('export_busy', `another export${who} writes to ${place}: ${nextStep}`);
}
