import { shown } from '../archive/archive-problem.js';
import type { PackageFiles } from '../package-files.js';
import type { ModuleFiles } from './module-files.js';
import { MAPPING } from './package-modules.js';
import type { PythonValue } from './value.js';

/** Why no class was found, as a sentence. */
export function explainFailure(
  files: ModuleFiles,
  mapping: PythonValue | undefined,
  damage: PackageFiles['damage'] = [],
): string {
  const damaged = damage.find(({ path }) => path === '' || /\.py$/i.test(path));
  if (damaged?.path === '') return damaged.problem;
  if (files.paths.length === 0) {
    return damaged === undefined
      ? 'The package has no Python file.'
      : `${shown(damaged.path)} cannot be read: its bytes are not those that the archive declares.`;
  }
  const root = files.fileOf('');
  if (root === undefined)
    return `The package has no __init__.py at its root, and none of its files has a ${MAPPING} or a node schema.`;
  const syntax = files.syntaxOf(root);
  if (syntax === undefined) return `${root} cannot be parsed in time.`;
  if (syntax.hasError) return `${root} has syntax errors, and no node class can be read.`;
  return mapping === undefined
    ? `${root} binds no ${MAPPING}, and no file of the package has a node class that can be read.`
    : `${MAPPING} of ${root} is only known at run time, and no file of the package has a node class that can be read.`;
}
