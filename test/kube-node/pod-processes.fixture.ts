// Processes of pods, seen from their node.
import { readdirSync, readFileSync } from 'node:fs';
import { toolOutput } from '../../tools/kube/run-tool.ts';
import { CALLER, type Outcome } from './pod-network.fixture.ts';

/** `kill -9` of every process of a pod but the one that holds its namespaces; returns their number. */
export function killPod(uid: string): number {
  const killed = processesOf(uid);
  for (const pid of killed) process.kill(Number(pid), 'SIGKILL');
  return killed.length;
}

/** How connections from a pod end; the program is the node's, the network the pod's. */
export async function outcomesFrom(
  uid: string,
  targets: readonly (readonly [host: string, port: number])[],
): Promise<readonly Outcome[]> {
  const [pid] = processesOf(uid);
  const program = [process.execPath, '-e', CALLER, JSON.stringify(targets)];
  return JSON.parse(await toolOutput('nsenter', ['--target', pid ?? '', '--net', ...program])) as Outcome[];
}

function processesOf(uid: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => textOf(pid, 'cgroup').includes(`/pod${uid}/`) && !isPause(pid));
}

const isPause = (pid: string): boolean => textOf(pid, 'cmdline').startsWith('/pause');

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
