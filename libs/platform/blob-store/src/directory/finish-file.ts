import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { KeyPath } from './key-path.js';

/** Resolves when the bytes of an unfinished object and its final name are on stable storage. Closes the file. */
export async function finishFile(file: FileHandle, path: KeyPath): Promise<void> {
  // Opened while the disk writes. Nobody waits for the close of a finished file.
  const folder = open(path.folder, 'r');
  folder.catch(ignore);
  try {
    await file.sync();
    await rename(path.unfinished, path.finished);
    // fsync of a file does not cover its directory entry.
    await (await folder).sync();
  } finally {
    file.close().catch(ignore);
    folder.then(async (handle) => await handle.close()).catch(ignore);
  }
}

/**
 * A key is written once. Checked while the caller holds the unfinished name, so nobody else can finish the key
 * afterwards. Throws EEXIST like the system. The lookup is served from the system's cache.
 */
export function refuseFinished({ finished }: KeyPath): void {
  if (existsSync(finished)) throw Object.assign(new Error(`${finished} is there already`), { code: 'EEXIST' });
}

/** Whether the system says that the name of a key is in use. */
export function isNameTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

function ignore(): void {
  // An unfinished file is found again through its intent row.
}
