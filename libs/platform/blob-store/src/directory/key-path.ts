import { join } from 'node:path';
import { assertBlobKey, isBlobKey } from '../blob-key-form.js';
import type { BlobKey } from '../blob-store.js';

const UNFINISHED = '.part';
const digits = '0123456789abcdef';

/** Objects are in 256 folders, two levels deep, named by the last two digits of their random key. */
export function leafFolders(root: string): string[] {
  return [...digits].flatMap((first) => [...digits].map((second) => join(root, first, second)));
}

export function firstLevelFolders(root: string): string[] {
  return [...digits].map((first) => join(root, first));
}

export interface KeyPath {
  readonly folder: string;
  readonly finished: string;
  /** The name while bytes arrive: in the same folder, so that one rename finishes the object. */
  readonly unfinished: string;
}

/** Throws unless it is a blob key, so that no path can leave the root. */
export function keyPath(root: string, key: BlobKey): KeyPath {
  assertBlobKey(key);
  const folder = join(root, key[34]!, key[35]!);
  const finished = join(folder, key);
  return { folder, finished, unfinished: `${finished}${UNFINISHED}` };
}

/** The key of a finished object's file; null for any other file. */
export function keyOfFileName(name: string): BlobKey | null {
  return isBlobKey(name) ? name : null;
}

/** The key of an unfinished object's file; null for any other file. */
export function keyOfUnfinished(name: string): BlobKey | null {
  return name.endsWith(UNFINISHED) ? keyOfFileName(name.slice(0, -UNFINISHED.length)) : null;
}
