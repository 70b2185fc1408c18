import { sourceFiles } from './source-files.ts';

const TEST_SUPPORT = /\.(spec|fixture|fake|suite)\.ts$|^libs\/testing\//;
const EXPORTED = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;

/** Exported types of production code whose name another file exports as well: one name is one thing. */
export function duplicateTypeNames(root: string): string[] {
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of sourceFiles(root, ['apps', 'libs'], ['.ts'])) {
    if (TEST_SUPPORT.test(path)) continue;
    for (const [, name] of text.matchAll(EXPORTED)) homes.set(name!, (homes.get(name!) ?? new Set()).add(path));
  }
  return [...homes]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `the type ${name} exists in several files: ${[...paths].join(', ')}`)
    .sort();
}
