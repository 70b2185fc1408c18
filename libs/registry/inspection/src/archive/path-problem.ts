import { partsOf } from './archive-entry.js';

/** As on Linux. */
const MAX_PATH = 4_096;
const MAX_PART = 255;

/** What is wrong with the path of an entry, as the end of a sentence; undefined if nothing is. */
export function pathProblem(name: string, maxDepth: number): string | undefined {
  if (name.length > MAX_PATH || name.split('/').some((part) => part.length > MAX_PART)) {
    return `has a name that no file system takes. Paths have at most ${MAX_PATH} characters, and each part ${MAX_PART}.`;
  }
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) {
    return 'has a NUL or another control character in its name. Names must be printable text.';
  }
  if (name.includes('\\')) return 'has a backslash in its name. Folders must be separated by "/".';
  if (name.startsWith('/')) return 'has an absolute path. Paths must be relative to the root of the package.';
  if (/^[A-Za-z]:/.test(name)) {
    return 'begins with the letter of a drive. Paths must be relative to the root of the package.';
  }
  if (name.split('/').includes('..')) return 'leads out of its folder by "..". Paths must stay inside the package.';
  const depth = partsOf(name).length;
  if (depth > maxDepth) return `has ${depth} parts in its path. At most ${maxDepth} are allowed.`;
  return undefined;
}
