import { readFile } from 'node:fs/promises';

/** Resident memory of a process in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

export interface MemoryWatch {
  /** Stops, and resolves with the maximum growth since the start in MiB. */
  growth(): Promise<number>;
}

/** Reads the memory of the process every 20 ms. */
export async function watchMemory(pid: number): Promise<MemoryWatch> {
  const before = await residentMiB(pid);
  let most = before;
  const look = async (): Promise<void> => {
    most = Math.max(most, await residentMiB(pid).catch(() => 0));
  };
  const timer = setInterval(() => void look(), 20);
  return {
    async growth() {
      clearInterval(timer);
      await look();
      return most - before;
    },
  };
}
