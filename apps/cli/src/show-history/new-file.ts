import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { failed } from '../failure.js';
import { fileErrorText } from '../file-error.js';
import { linkNew } from '../link-new.js';

/**
 * Lets `work` write a file under another name beside `path`, and gives it its name at the end. An existing file is
 * never overwritten, and a failure leaves nothing behind.
 */
export async function writingNewFile<T>(path: string, work: (partial: string) => Promise<T>): Promise<T> {
  if (existsSync(path)) throw notWritable(path, 'the path is taken');
  const partial = `${path}.${randomUUID()}.part`;
  // The engine reports a folder that is not there less clearly.
  await (await open(partial, 'wx').catch((error: unknown) => Promise.reject(refused(path, error)))).close();
  // Also where the process ends at once, as when its output is no longer read.
  const remove = (): void => rmSync(partial, { force: true });
  process.once('exit', remove);
  try {
    const result = await work(partial);
    await flush(partial);
    const isNew = await linkNew(partial, path).catch((error: unknown) => Promise.reject(refused(path, error)));
    if (!isNew) throw notWritable(path, 'the path is taken');
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
