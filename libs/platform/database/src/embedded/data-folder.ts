import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

interface Further {
  readonly cause?: unknown;
  /** What to do next. */
  readonly next?: string;
}

/** The data folder cannot be created or used: the user must choose another. */
export class DataFolderRefusedError extends Error {
  override readonly name = 'DataFolderRefusedError';

  constructor(folder: string, reason: string, { cause, next = 'Choose another with HEDDLE_DATA' }: Further = {}) {
    super(`The data directory ${folder} cannot be used: ${reason}. ${next}.`, { cause });
  }
}

/** Creates the data folder with its parents. Level by level: below /proc Node's recursive form never returns. */
export function makeDataFolder(folder: string): void {
  try {
    make(folder);
  } catch (error) {
    throw new DataFolderRefusedError(folder, makingFault(error));
  }
}

/** A file of the data folder that this user may not use, or a disk that takes no more, as a refusal; null for any other error. */
export function dataFolderFailure(folder: string, error: unknown): DataFolderRefusedError | null {
  if (!(error instanceof Error)) return null;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  const reason = syscall === undefined ? undefined : REASONS[code];
  if (reason === undefined) return null;
  return new DataFolderRefusedError(folder, `${reason}${path === undefined ? '' : `: ${path}`}`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use what is in it',
  EPERM: 'this user may not use what is in it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left on its disk',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'a part of it is missing',
};

/** What making a folder failed with. Below /proc, for example, ENOENT means that nothing can be created. */
const MAKING_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'nothing can be created there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
};

function makingFault(error: unknown): string {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const reason = MAKING_REASONS[code];
  return reason === undefined ? message : `${reason}${path === undefined ? '' : `: ${path}`}`;
}

function make(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) make(dirname(path));
  try {
    mkdirSync(path, { mode: 0o755 });
  } catch (error) {
    // Another process may have created it at the same moment.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) throw new Error(`${path} is a file, not a folder`);
  return found !== undefined;
}
