import { readdirSync, readFileSync } from 'node:fs';

export interface ChildProcessFacts {
  readonly pid: number;
  readonly command: string;
}

/** The direct children of a process, from /proc. */
export function childrenWithCommands(parent: number): readonly ChildProcessFacts[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent)
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }));
}

export function childrenOf(parent: number): readonly number[] {
  return childrenWithCommands(parent).map(({ pid }) => pid);
}

/** The built-in engine's processes of a running Heddle. */
export function enginesOf(heddle: number): readonly number[] {
  return childrenWithCommands(heddle)
    .filter(({ command }) => command.includes('/engine-child.js'))
    .map(({ pid }) => pid);
}

function parentOf(pid: number): number {
  // The process name is in parentheses and may contain any character.
  return Number(read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
