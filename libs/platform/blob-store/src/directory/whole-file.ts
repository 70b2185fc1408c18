import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { KeyPath } from './key-path.js';
import { refuseFinished } from './refuse-finished.js';

/** Writes a file and its name to stable storage, or leaves nothing. Waits for the disk: for a thread that has nothing else to do. */
export function writeWholeFile({ folder, finished, unfinished }: KeyPath, bytes: Uint8Array): void {
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    try {
      refuseFinished(finished);
      // A full disk takes a part of a write first and fails the next one.
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, finished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  syncName(folder);
}

/** fsync of a file does not cover its directory entry. */
function syncName(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
