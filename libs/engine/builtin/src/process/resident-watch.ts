import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 100;

/**
 * Calls `exceeded` once when a process holds more than `limitBytes` of memory; answers how to stop watching. Only where
 * `/proc` exists; elsewhere the limits inside the process are alone.
 */
export function watchResidentMemory(pid: number, limitBytes: number, exceeded: () => void): () => void {
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    clearInterval(timer);
  };
  const look = async (): Promise<void> => {
    const resident = await residentBytes(pid);
    if (stopped || resident === null || resident <= limitBytes) return;
    stop();
    exceeded();
  };
  const timer = setInterval(() => void look(), INTERVAL_MS);
  timer.unref();
  return stop;
}

/** Resident memory of a process in bytes, `null` where it cannot be known. */
async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}
