// Processes of pods, which outlive containerd: those in the node's control group, and the shims above them.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CONTROL_GROUP } from './node-addresses.ts';

const GONE_WITHIN_MS = 10_000;
const POLL_MS = 50;

/** Kills them all; returns how many there were. `socket`: that of the node's containerd, which its shims name. */
export async function killPodProcesses(socket: string): Promise<number> {
  const seen = new Set<number>();
  for (const until = performance.now() + GONE_WITHIN_MS; performance.now() < until; await delay(POLL_MS)) {
    const left = podProcesses(socket);
    if (left.length === 0) return seen.size;
    for (const pid of left) {
      seen.add(pid);
      kill(pid);
    }
  }
  throw new Error(`processes of pods do not end: ${podProcesses(socket).join(', ')}; look at them with ps`);
}

function podProcesses(socket: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isOfPod(pid, socket)).map(Number);
}

function isOfPod(pid: string, socket: string): boolean {
  const groups = textOf(`/proc/${pid}/cgroup`);
  if (groups.split('\n').some((line) => line.split(':')[2]?.startsWith(`/${CONTROL_GROUP}/`) === true)) return true;
  const words = textOf(`/proc/${pid}/cmdline`).split('\0');
  return words[0]?.endsWith('containerd-shim-runc-v2') === true && words.includes(socket);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
