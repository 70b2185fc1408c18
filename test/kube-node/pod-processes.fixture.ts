import { readdirSync, readFileSync } from 'node:fs';

/** `kill -9` of every process of a pod but the one that holds its namespaces; returns their number. */
export function killPod(uid: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const killed = pids.filter((pid) => textOf(pid, 'cgroup').includes(`/pod${uid}/`) && !isPause(pid));
  for (const pid of killed) process.kill(Number(pid), 'SIGKILL');
  return killed.length;
}

const isPause = (pid: string): boolean => textOf(pid, 'cmdline').startsWith('/pause');

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
