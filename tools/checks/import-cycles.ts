import { dirname, join, normalize } from 'node:path/posix';
import { CODE_FOLDERS, sourceFiles } from './source-files.ts';

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/g;

/** Cycles between files through relative imports; type imports count too, because they couple as well. */
export function importCycles(root: string): string[] {
  const files = sourceFiles(root, CODE_FOLDERS, ['.ts', '.mjs']);
  const known = new Set(files.map((file) => file.path));
  const imports = new Map(files.map((file) => [file.path, importsOf(file.path, file.text, known)]));
  return cycles(imports).map((cycle) => `import each other in a circle: ${cycle.join(', ')}`);
}

function importsOf(path: string, text: string, known: ReadonlySet<string>): string[] {
  return [...text.matchAll(IMPORT)].flatMap((match) => {
    const target = normalize(join(dirname(path), match[1] ?? match[2] ?? ''));
    const found = [target, target.replace(/\.js$/, '.ts')].find((candidate) => known.has(candidate));
    return found === undefined ? [] : [found];
  });
}

/** The strongly connected groups of more than one file (Tarjan's algorithm), and files that import themselves. */
export function cycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) ?? 0);
    stack.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || (imports.get(file) ?? []).includes(file)) found.push(group);
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
}
