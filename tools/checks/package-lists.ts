import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesBelow, NOT_SHIPPED, sourceFiles } from './source-files.ts';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const IMPORTED = /(?:from|import)\s*\(?\s*['"](@heddle\/[a-z0-9-]+)/g;

/**
 * A package must declare the packages of ours that it imports, and reference them as projects: otherwise a build works
 * only if another package happens to be built first.
 */
export function packageLists(root: string): string[] {
  const manifests = ['apps', 'libs']
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => path.endsWith('/package.json'));
  const folderOf = new Map(manifests.map((path) => [manifestAt(path).name, dirname(path)]));
  return manifests.flatMap((path) => {
    const folder = dirname(path);
    const manifest = manifestAt(path);
    const listed = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@heddle/'));
    const here = relative(root, folder);
    const unlisted = [...importedBy(folder)].filter((name) => name !== manifest.name && !listed.includes(name));
    const references = new Set(referencesOf(folder));
    const unreferenced = listed.filter((name) => !references.has(folderOf.get(name) ?? ''));
    return [
      ...lockProblems(root, here, manifest),
      ...unlisted.map((name) => `${here}/package.json does not list ${name}, which its sources import`),
      ...unreferenced.map((name) => `${here}/tsconfig.json does not reference ${name}, which its package.json lists`),
    ];
  });
}

/** If lockfile and packages disagree, `npm ci` fails or silently installs something else. */
function lockProblems(root: string, here: string, manifest: Manifest): string[] {
  if (!existsSync(join(root, 'package-lock.json'))) return [];
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Manifest>;
  };
  const locked = lock.packages[here];
  const sorted = (record: object | undefined): string => JSON.stringify(Object.entries(record ?? {}).sort());
  const same =
    locked !== undefined &&
    sorted(locked.dependencies) === sorted(manifest.dependencies) &&
    sorted(locked.bin) === sorted(manifest.bin);
  return same
    ? []
    : [`package-lock.json does not have ${here} as its package.json does: npm install --package-lock-only`];
}

function importedBy(folder: string): Set<string> {
  // The fakes and suites of a test kit are what it ships.
  const left = dirname(folder).endsWith('/libs/testing') ? /\.(spec|fixture)\.ts$/ : NOT_SHIPPED;
  const sources = sourceFiles(folder, ['src'], ['.ts']).filter((file) => !left.test(file.path));
  return new Set(sources.flatMap((file) => [...file.text.matchAll(IMPORTED)].map((match) => match[1] ?? '')));
}

function referencesOf(folder: string): string[] {
  const config = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')) as {
    references?: readonly { readonly path: string }[];
  };
  return (config.references ?? []).map((reference) => join(folder, reference.path));
}

function manifestAt(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
