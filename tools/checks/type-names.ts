import { sourceFiles } from './source-files.ts';

const TEST_SUPPORT = /\.(spec|fixture|fake|suite)\.ts$|^libs\/testing\//;
const EXPORTED = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;

/** Names that several files may export, each with the reason. Remove an entry when its pair is gone. */
export const SHARED_TYPE_NAMES: Readonly<Record<string, string>> = {
  JobError: 'the stored form in the domain, which imports nothing, and the form between services',
  JobErrorCode: 'as JobError',
  JobInput: 'as JobError',
  JobOutput: 'as JobError',
  JobProgress: 'as JobError',
  JobStatus: 'as JobError',
  JsonValue: 'a JSON value with bigints, in the graph and in the engine, which share no package',
  NodeProblem: 'the problem in the graph, which imports nothing, and the form between services',
  OutputType: 'the engine port, the stored form and the form between services list the same types',
};

/** Exported types of production code whose name another file exports as well: one name is one thing. */
export function duplicateTypeNames(root: string, allowed = SHARED_TYPE_NAMES): string[] {
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of sourceFiles(root, ['apps', 'libs'], ['.ts'])) {
    if (TEST_SUPPORT.test(path)) continue;
    for (const [, name] of text.matchAll(EXPORTED)) homes.set(name!, (homes.get(name!) ?? new Set()).add(path));
  }
  const shared = [...homes].filter(([, paths]) => paths.size > 1);
  return [
    ...shared
      .filter(([name]) => !Object.hasOwn(allowed, name))
      .map(([name, paths]) => `the type ${name} exists in several files: ${[...paths].join(', ')}`),
    ...Object.keys(allowed)
      .filter((name) => !shared.some(([other]) => other === name))
      .map((name) => `${name} is in SHARED_TYPE_NAMES, but only one file exports it`),
  ].sort();
}
