import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;

/** A file that names the building process; the lock of a dead process is ignored. */
export class InstallLock {
  private constructor(private readonly path: string) {}

  /** Waits for the current holder, at most `patienceMs`. */
  static async take(path: string, patienceMs: number): Promise<InstallLock> {
    for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await delay(POLL_MS)) {
      try {
        const file = await open(path, 'wx');
        await file.writeFile(String(process.pid));
        await file.close();
        return new InstallLock(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        if (!(await isHeld(path))) await rm(path, { force: true });
      }
    }
    throw new Error(
      `another process has held ${path} for ${patienceMs / 1000} s; remove the file if no such process runs`,
    );
  }

  async release(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

async function isHeld(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  // Empty: its holder is just writing it, or died before it could.
  if (!Number.isInteger(pid) || pid <= 0)
    return delay(POLL_MS).then(async () => (await readFile(path, 'utf8').catch(() => '')) !== '');
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
