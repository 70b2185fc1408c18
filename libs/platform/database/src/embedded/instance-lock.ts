import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from './process-identity.js';

/** Another running Heddle owns the data folder. */
export class DataFolderInUseError extends Error {
  constructor(
    readonly folder: string,
    readonly pid: number | undefined,
  ) {
    super(
      `Another Heddle${pid === undefined ? '' : ` (pid ${pid})`} is using the data directory ${folder}. ` +
        'Stop it first, or choose another directory with HEDDLE_DATA.',
    );
    this.name = 'DataFolderInUseError';
  }
}

interface Holder {
  readonly pid: number;
  readonly identity: string;
}

/**
 * A lock file that names the owner of the folder. It is created atomically (a link to a finished file), so readers
 * never see half of it. Owners that ended, or whose process id was recycled, are ignored.
 */
export class InstanceLock {
  readonly #file: string;
  #held: string | undefined;

  constructor(
    private readonly folder: string,
    private readonly shownFolder: string,
  ) {
    this.#file = join(folder, 'heddle.lock');
  }

  acquire(): void {
    const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) ?? '' } satisfies Holder);
    const draft = join(this.folder, `heddle.lock.${process.pid}`);
    writeFileSync(draft, mine, { mode: 0o600 });
    try {
      for (let attempt = 0; attempt < 10; attempt++) {
        if (this.#link(draft)) {
          this.#held = mine;
          return;
        }
        const holder = this.holder();
        if (holder) throw new DataFolderInUseError(this.shownFolder, holder.pid);
        rmSync(this.#file, { force: true });
      }
      throw new DataFolderInUseError(this.shownFolder, undefined);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** The live process that owns the folder, if any. */
  holder(): { readonly pid: number } | undefined {
    try {
      const holder = JSON.parse(readFileSync(this.#file, 'utf8')) as Holder;
      return processIdentity(holder.pid) === holder.identity ? { pid: holder.pid } : undefined;
    } catch {
      return undefined;
    }
  }

  release(): void {
    if (this.#held === undefined) return;
    try {
      if (readFileSync(this.#file, 'utf8') === this.#held) rmSync(this.#file, { force: true });
    } catch {
      // The file is gone: nothing to release.
    }
    this.#held = undefined;
  }

  #link(draft: string): boolean {
    try {
      linkSync(draft, this.#file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}
