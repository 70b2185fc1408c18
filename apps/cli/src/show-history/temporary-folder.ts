import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives `work` a new folder that only this user may read, and removes it. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-history-'));
  // Also where the process ends at once, as when its output is no longer read.
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
