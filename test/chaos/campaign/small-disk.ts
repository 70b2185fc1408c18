import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST = 'ballast';

/** A disk that is small enough to fill */
export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
    process.once('exit', this.#unmount);
  }

  /** Mounts a small disk, or returns the reason why it cannot. */
  static mount(mebibytes: number): SmallDisk | string {
    if (process.getuid?.() !== 0) return 'only root may mount a small disk';
    const folder = mkdtempSync(join(tmpdir(), 'heddle-campaign-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      return `no small disk can be mounted: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
    }
    return new SmallDisk(folder);
  }

  /** Fills the free space. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    await writeFile(join(this.folder, BALLAST), Buffer.alloc(bavail * bsize)).catch(() => undefined);
  }

  async free(): Promise<void> {
    await rm(join(this.folder, BALLAST), { force: true });
  }

  unmount(): void {
    process.off('exit', this.#unmount);
    this.#unmount();
  }

  readonly #unmount = (): void => {
    // Lazy: a process with an open file keeps the disk until it ends.
    execFileSync('umount', ['-l', this.folder], { stdio: 'pipe' });
    rmSync(this.folder, { recursive: true, force: true });
  };
}
