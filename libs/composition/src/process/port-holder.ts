import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const LISTENING = '0A';
const MAX_TEXT = 100;

/**
 * The process that listens on a local TCP port, e.g. `process 4711 (node dist/standalone.js)`; null if the system does
 * not show it.
 */
export function portHolder(port: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => socketsOf(table, port)));
    const pid = sockets.size === 0 ? undefined : processIds().find((id) => holds(id, sockets));
    return pid === undefined ? null : `process ${pid}${commandText(pid)}`;
  } catch {
    return null;
  }
}

/** As `socket:[inode]`, the form in which file descriptors name them. */
function socketsOf(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return linesOf(table)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTENING)
    .map((fields) => `socket:[${fields[9]}]`);
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(1);
  } catch {
    return [];
  }
}

function processIds(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(targetOf(`/proc/${pid}/fd/${fd}`)));
  } catch {
    // Another user's process, or one that has just ended.
    return false;
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** Options may contain secrets: only the program and its script are shown. */
function commandText(pid: string): string {
  const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = rest.find((word) => word.includes('/') && !word.startsWith('-'));
  const shown = [basename(program), ...(script === undefined ? [] : [script])].join(' ').replace(/[^\x20-\x7e]/g, '?');
  return shown === '' ? '' : ` (${shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown})`;
}
