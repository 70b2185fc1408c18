import { chmod, constants, copyFile, link, open, unlink } from 'node:fs/promises';
import { BlobExistsError } from '../blob-store.js';
import type { BlobKey } from '../blob-store.js';
import { finishFile, isNameTaken, refuseFinished } from './finish-file.js';
import { orFullDisk } from './full-disk.js';
import type { KeyPath } from './key-path.js';

/** Makes a local file an object. On the file system of the store its bytes are not written again. */
export async function keepFile(key: BlobKey, path: KeyPath, file: string): Promise<void> {
  try {
    await linkOrCopy(file, path.unfinished);
  } catch (error) {
    throw isNameTaken(error) ? new BlobExistsError(key) : orFullDisk(error, path.folder);
  }
  try {
    refuseFinished(path);
    await chmod(path.unfinished, 0o600);
    await finishFile(await open(path.unfinished, 'r'), path);
  } catch (error) {
    await unlink(path.unfinished).catch(ignore);
    if (isNameTaken(error)) throw new BlobExistsError(key);
    await unlink(path.finished).catch(ignore);
    throw orFullDisk(error, path.folder);
  }
}

/** Neither replaces a file. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isNameTaken(error)) throw error;
    // Another file system, or one without links.
    await copyFile(from, to, constants.COPYFILE_EXCL).catch(async (failure: unknown) => {
      if (!isNameTaken(failure)) await unlink(to).catch(ignore);
      throw failure;
    });
  }
}

function ignore(): void {
  // What is left is found again through its intent row.
}
