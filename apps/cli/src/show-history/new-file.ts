import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { failed } from '../failure.js';
import { fileErrorText } from '../file-error.js';

/** File systems without hard links: the name is then taken by a rename, after a look. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Lets `work` write a file under another name beside `path`, and gives it its name at the end. An existing file is never
 * overwritten, and a failure leaves nothing behind.
 */
export async function writingNewFile<T>(path: string, work: (partial: string) => Promise<T>): Promise<T> {
  if (existsSync(path)) throw notWritable(path, 'the path is taken');
  const partial = `${path}.${randomUUID()}.part`;
  // The engine reports a folder that is not there less clearly.
  await (await open(partial, 'wx').catch((error: unknown) => Promise.reject(refused(path, error)))).close();
  // Also where the process ends at once, as when nobody reads its output any more.
  const remove = (): void => rmSync(partial, { force: true });
  process.once('exit', remove);
  try {
    const result = await work(partial);
    await flush(partial);
    await named(partial, path);
    return result;
  } finally {
    process.off('exit', remove);
    await rm(partial, { force: true });
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename would replace what was made at this path in the meantime. */
async function named(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code)) throw refused(path, error);
    if (existsSync(path)) throw notWritable(path, 'the path is taken');
    await rename(partial, path);
  }
}

function refused(path: string, error: unknown): Error {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT')
    return failed(
      `${path} cannot be written: its folder does not exist`,
      'make the folder, or name another file with --out',
    );
  return notWritable(path, fileErrorText(error) ?? (error instanceof Error ? error.message : String(error)));
}

function notWritable(path: string, reason: string): Error {
  return failed(`${path} cannot be written: ${reason}`, 'name a new file with --out');
}
