import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The data folder cannot be made, or is none: a person has to name another. */
export class DataFolderRefusedError extends Error {
  override readonly name = 'DataFolderRefusedError';

  constructor(folder: string, reason: string) {
    super(`The data directory ${folder} cannot be used: ${reason}. Choose another with HEDDLE_DATA.`);
  }
}

/** Makes the data folder, with those above it. Step by step: below /proc Node's recursive form never returns. */
export function makeDataFolder(folder: string): void {
  try {
    make(folder);
  } catch (error) {
    throw new DataFolderRefusedError(folder, (error as Error).message);
  }
}

function make(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) make(dirname(path));
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) throw new Error(`${path} is a file, not a folder`);
  return found !== undefined;
}
