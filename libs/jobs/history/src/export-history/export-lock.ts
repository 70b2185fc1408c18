import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../read-export/manifest.js';

const LOCK = '.export.lock';

/** Keeps two exports out of one folder. The lock of a process that has ended is taken over. */
export async function withExportLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, LOCK);
  await take(path, folder, true);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string, folder: string, mayTakeOver: boolean): Promise<void> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(String(process.pid)).finally(() => file.close());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (!mayTakeOver || isAlive(holder))
      throw new ExportError(
        'export_busy',
        `another export (process ${holder}) writes to ${folder}: wait until it ends`,
      );
    await rm(path, { force: true });
    await take(path, folder, false);
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
