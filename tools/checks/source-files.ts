import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const NEVER_OURS = new Set(['node_modules', 'dist', 'coverage', 'fixtures', 'recorded', 'lint-fixtures', 'generated']);

export interface SourceFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Our files below the given folders with one of the endings, in a stable order. */
export function sourceFiles(root: string, folders: readonly string[], endings: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function filesBelow(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NEVER_OURS.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

export const CODE_FOLDERS = ['apps', 'libs', 'tools', 'test'];

/** Specs, and the files that only specs load. */
export const NOT_SHIPPED = /\.(?:spec|suite|fixture|fake)\.ts$/;
