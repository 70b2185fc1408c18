import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { filesBelow } from './source-files.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * A package must declare the npm packages that it imports, in the root's versions. An undeclared import works only
 * while another package asks for the same thing.
 */
export function npmPackages(root: string): string[] {
  const pinned = everything(manifestAt(join(root, 'package.json')));
  return ['apps', 'libs']
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => path.endsWith('/package.json'))
    .flatMap((path) => problemsOf(relative(root, path), dirname(path), pinned));
}

function problemsOf(name: string, folder: string, pinned: Readonly<Record<string, string>>): string[] {
  const manifest = manifestAt(join(folder, 'package.json'));
  const { shipped, tested } = importsBelow(folder);
  const declared = everything(manifest);
  const external = Object.entries(declared).filter(([entry]) => !entry.startsWith('@heddle/'));
  return [
    ...[...shipped]
      .filter((entry) => manifest.dependencies?.[entry] === undefined)
      .map((entry) => `${name} does not declare ${entry} in dependencies, which its sources import`),
    ...[...tested]
      .filter((entry) => !shipped.has(entry) && declared[entry] === undefined)
      .map((entry) => `${name} does not declare ${entry} in devDependencies, which its specs import`),
    ...external
      .filter(([entry]) => !shipped.has(entry) && !tested.has(entry))
      .map(([entry]) => `${name} declares ${entry}, which nothing in it imports`),
    ...external
      .filter(([entry, version]) => pinned[entry] !== version)
      .map(([entry, version]) => `${name} has ${entry} ${version}, and the root has ${pinned[entry] ?? 'none'}`),
  ];
}

/** Specs, what supports them and what lies beside `src` are for tests alone, as are the packages below libs/testing. */
function importsBelow(folder: string): { readonly shipped: Set<string>; readonly tested: Set<string> } {
  const shipped = new Set<string>();
  const tested = new Set<string>();
  for (const path of ownFiles(folder).filter((file) => /\.[cm]?[jt]s$/.test(file))) {
    const names = npmImports(readFileSync(path, 'utf8'));
    const forTests =
      path.includes('/libs/testing/') ||
      /\.(spec|fixture|fake|suite)\.m?[jt]s$/.test(path) ||
      !/^(src|bin)\//.test(relative(folder, path));
    for (const name of names) (forTests ? tested : shipped).add(name);
  }
  return { shipped, tested };
}

/** A package may be in the folder of another (`libs/jobs/domain`): its files are its own. */
function ownFiles(folder: string): string[] {
  const files = filesBelow(folder);
  const inner = files
    .filter((path) => path.endsWith('/package.json') && dirname(path) !== folder)
    .map((path) => `${dirname(path)}/`);
  return files.filter((path) => !inner.some((prefix) => path.startsWith(prefix)));
}

/** Also of files that are found by `require.resolve`, such as compiled grammars. */
function npmImports(text: string): Set<string> {
  const resolved = [...text.matchAll(/require\.resolve\('([^']+)'\)/g)].map(([, name]) => name!);
  return new Set(
    [...ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName), ...resolved]
      .filter((name) => !/^[./#]/.test(name) && !isBuiltin(name) && !name.startsWith('@heddle/'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
}

function everything(manifest: Manifest): Readonly<Record<string, string>> {
  return { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
}

function manifestAt(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
