import { readFileSync, readdirSync } from 'node:fs';

const TICK_US = 10_000; // 100 clock ticks a second on every Linux that Node supports

/** CPU time of a process so far, user and system, in microseconds; 0 if the process has ended. */
export function cpuUs(pid: number): number {
  const fields = statFields(pid);
  return fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** CPU time of a process and of all its live descendants, microseconds. */
export function treeCpuUs(pid: number): number {
  return tree(pid).reduce((sum, member) => sum + cpuUs(member), 0);
}

/** Resident memory in MiB. */
export function rssMib(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}

/** Proportional set size of a process and its descendants, in MiB: shared pages count once. */
export function treePssMib(pid: number): number {
  return tree(pid).reduce((sum, member) => sum + pssMib(member), 0);
}

function pssMib(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Resets the high-water mark of resident memory. */
export async function resetPeak(pid: number): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}

/** Direct children of a process with the names of their programs. */
export function childPids(parent: number): { pid: number; name: string }[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || Number(statFields(pid)?.[1] ?? -1) !== parent) return [];
    return [{ pid, name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }];
  });
}

function tree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = Number(statFields(pid)?.[1] ?? -1);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const members = [root];
  for (let at = 0; at < members.length; at += 1) members.push(...(children.get(members[at]!) ?? []));
  return members;
}

/** Fields of /proc/PID/stat from the third one on (the second may hold spaces). */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
