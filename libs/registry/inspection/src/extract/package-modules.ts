import type { Interpreter } from './interpreter.js';
import type { ModuleFiles } from './module-files.js';
import type { NameScope, PythonValue } from './value.js';

export const MAPPING = 'NODE_CLASS_MAPPINGS';
const SCHEMA = 'define_schema';

/** Imports nest at most as deep when modules are run: the deepest ones run first. */
const MAX_IMPORT_DEPTH = 25;

/** Runs the root module and every module that it reaches by relative imports, also by those within functions. */
export function runReachable(root: string, interpreter: Interpreter): void {
  const depths = reachableFrom(root, interpreter.files);
  const first = [...depths].filter(([, depth]) => depth > 0 && depth % MAX_IMPORT_DEPTH === 0);
  for (const [path] of first.sort(([, one], [, other]) => other - one)) interpreter.module(path);
  interpreter.module(root);
  for (const path of depths.keys()) interpreter.module(path);
  for (const path of depths.keys()) runFunctionsWith(SCHEMA, path, interpreter);
}

/** The mappings of all files of the package; every file that may have a mapping or a schema is run. */
export function mappingsOfAnyFile(interpreter: Interpreter): PythonValue[] {
  const { files } = interpreter;
  const paths = files.paths.filter((path) => [MAPPING, SCHEMA].some((word) => files.textOf(path).includes(word)));
  return paths.flatMap((path) => {
    const own = interpreter.module(path).names.get(MAPPING);
    const inner = runFunctionsWith(MAPPING, path, interpreter).map(({ names }) => names.get(MAPPING));
    runFunctionsWith(SCHEMA, path, interpreter);
    return [own, ...inner].filter((value) => value !== undefined);
  });
}

/** Runs the functions of a module whose source has a word, as nothing may call them; returns their scopes. */
function runFunctionsWith(word: string, path: string, interpreter: Interpreter): NameScope[] {
  const text = interpreter.files.textOf(path);
  if (!text.includes(word)) return [];
  const scope = interpreter.module(path);
  const functions = [...scope.names.values()].filter((value) => value.kind === 'function');
  return functions
    .filter(
      ({ scope: home, definition }) => home === scope && text.slice(definition.start, definition.end).includes(word),
    )
    .map(({ definition }) =>
      interpreter.runFunction(definition, scope, undefined, { args: [], named: new Map(), open: true }),
    )
    .filter((inner) => inner !== undefined);
}

/** Depth of each module below the root, along the first way on which it is found. */
function reachableFrom(root: string, files: ModuleFiles): Map<string, number> {
  const depths = new Map<string, number>();
  const waiting = [{ path: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next;
    if (depths.has(path)) continue;
    depths.set(path, depth);
    const imports = files.syntaxOf(path)?.imports ?? [];
    for (const one of [...imports].reverse()) waiting.push({ path: one, depth: depth + 1 });
  }
  return depths;
}
