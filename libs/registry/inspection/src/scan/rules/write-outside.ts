import type { Node } from 'web-tree-sitter';
import type { CodeRule } from '../code-rule.js';
import { stringParts } from '../constant-text.js';
import type { PythonCall, PythonSource } from '../python-source.js';

/** Which arguments of a call are paths that it writes. */
const WRITES: readonly [RegExp, readonly number[]][] = [
  [/^os\.(remove|unlink|rmdir|removedirs|mkdir|makedirs|truncate|chmod)$|^shutil\.rmtree$/, [0]],
  [/^os\.(rename|renames|replace|link|symlink)$|^shutil\.move$/, [0, 1]],
  [/^shutil\.(copy|copy2|copyfile|copytree)$/, [1]],
];
const PATH_METHODS = /^pathlib\.Path\(\)\.(write_text|write_bytes|mkdir|unlink|rmdir|touch|rename|replace|symlink_to)$/;
const HOME = /^(os\.path\.expanduser|pathlib\.Path\.home|site\.getsitepackages|sysconfig\.get_path\w*)$/;

/** Writes to paths that are certainly outside of the package: absolute ones, `..` and the home folder. */
export const writeOutside: CodeRule = {
  type: 'write-outside',
  message: "Writes outside of the package's folder. Use the folders that folder_paths gives.",
  *find(source) {
    for (const call of source.calls) {
      if (writtenPaths(call).some((path) => isOutside(source, path, call.scope))) yield { from: call.node.startIndex };
    }
  },
};

function writtenPaths(call: PythonCall): readonly Node[] {
  if (call.name === 'open' || call.name === 'io.open') {
    const mode = call.args.find((arg, index) => index === 1 || arg.text.startsWith('mode='));
    return mode !== undefined && /["'][^"']*[wax+]/.test(mode.text) ? call.args.slice(0, 1) : [];
  }
  if (PATH_METHODS.test(call.name)) {
    const object = call.node.childForFieldName('function')?.childForFieldName('object');
    return object === null || object === undefined ? [] : [object];
  }
  const indices = WRITES.find(([name]) => name.test(call.name))?.[1] ?? [];
  return indices.flatMap((index) => call.args[index] ?? []);
}

function isOutside(source: PythonSource, path: Node, scope: number, depth = 0): boolean {
  for (const leaf of source.leaves(path)) {
    if (leaf.type === 'string') return isOutsidePath(stringParts(leaf).text);
    if (leaf.type === 'call' && HOME.test(source.nameOf(leaf.childForFieldName('function') ?? leaf, scope)))
      return true;
    const value = leaf.type === 'identifier' ? source.valuesOf(leaf.text, scope)[0] : undefined;
    if (value !== undefined) return depth < 3 && isOutside(source, value, scope, depth + 1);
  }
  return false;
}

function isOutsidePath(text: string): boolean {
  if (/^\/(tmp|var\/tmp|dev\/(null|shm|stdout|stderr))(\/|$)/.test(text)) return false;
  return /^(\/|~|[A-Za-z]:[\\/]|\.\.([\\/]|$)|\\\\)/.test(text);
}
