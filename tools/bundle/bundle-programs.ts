import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { OutputAsset, OutputChunk, Plugin } from 'rolldown';

const DAY_MS = 86_400_000;

export interface Programs {
  readonly root: string;
  /** Output folder; absolute. */
  readonly out: string;
  /** The compiled main of each program, relative to the root, by file name. */
  readonly mains: Readonly<Record<string, string>>;
  /** Other inputs of a bundle, relative to the root. */
  readonly alsoFrom: readonly string[];
  /** Packages that stay in node_modules. */
  readonly outside: RegExp;
  /** The first import of every program. */
  readonly first: string;
}

interface Manifest {
  readonly key: string;
  /** Size and time of every compiled input, relative to the root. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Bundles if something has changed since the last time. Returns false if nothing has. */
export async function bundlePrograms(programs: Programs): Promise<boolean> {
  if (isCurrent(programs)) return false;
  const { rolldown } = await import('rolldown');
  const unresolved: string[] = [];
  const build = await rolldown({
    cwd: programs.root,
    input: Object.fromEntries(Object.entries(programs.mains).map(([name, path]) => [name, join(programs.root, path)])),
    platform: 'node',
    external: programs.outside,
    plugins: [places(programs)],
    onLog: (_, { code, message }) => void (code === 'UNRESOLVED_IMPORT' && unresolved.push(message ?? '')),
  });
  const { output } = await build.generate({
    dir: programs.out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    banner: (chunk) => (chunk.isEntry ? `import '${programs.first}';` : ''),
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await build.close();
  // It would only fail when somebody starts the program.
  if (unresolved.length > 0) throw new Error(`packages that a program imports are missing:\n${unresolved.join('\n')}`);
  write(programs, output);
  return true;
}

function isCurrent(programs: Programs): boolean {
  try {
    const manifest = JSON.parse(readFileSync(manifestOf(programs), 'utf8')) as Manifest;
    const isSame = ([path, stamp]: [string, string]): boolean => stampOf(programs, path) === stamp;
    const areThere = Object.keys(programs.mains).every((name) => existsSync(join(programs.out, `${name}.js`)));
    return areThere && manifest.key === keyOf(programs) && Object.entries(manifest.inputs).every(isSame);
  } catch {
    return false;
  }
}

const manifestOf = ({ out }: Programs): string => join(out, 'bundled.json');

function keyOf({ root, alsoFrom }: Programs): string {
  const hash = createHash('sha256');
  for (const path of alsoFrom) hash.update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function stampOf({ root }: Programs, path: string): string {
  const { size, mtimeMs } = statSync(join(root, path));
  return `${size} ${mtimeMs}`;
}

const isOurs = ({ root }: Programs, id: string): boolean => id.startsWith(root) && !id.includes('/node_modules/');

/**
 * Modules of ours still find files beside themselves, and start bundled programs. Stack traces name our source lines,
 * but not those of packages.
 */
function places(programs: Programs): Plugin {
  const { root, out, mains } = programs;
  const bundled = new Map(Object.entries(mains).map(([name, path]) => [join(root, path), `${name}.js`]));
  const from = (path: string): string => bundled.get(path) ?? relative(out, path);
  return {
    name: 'places',
    load(id) {
      if (!isOurs(programs, id) || !existsSync(`${id}.map`)) return null;
      const code = readFileSync(id, 'utf8')
        .replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (_, path: string) => {
          const url = from(resolve(dirname(id), path)) + (path.endsWith('/') ? '/' : '');
          return `new URL(${JSON.stringify(url)}, import.meta.here)`;
        })
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(from(id))}, import.meta.here).href`)
        .replaceAll('import.meta.here', 'import.meta.url');
      return { code, map: readFileSync(`${id}.map`, 'utf8') };
    },
    transform(code, id) {
      return isOurs(programs, id) ? null : { code, map: { mappings: '' } };
    },
  };
}

/** Each file atomically, programs after their parts, and last the marker that everything is complete. */
function write(programs: Programs, output: readonly (OutputChunk | OutputAsset)[]): void {
  const { root, out, mains } = programs;
  mkdirSync(out, { recursive: true });
  rmSync(manifestOf(programs), { force: true });
  const put = (name: string, content: string | Uint8Array): void => {
    const path = join(out, name);
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  };
  const isProgram = ({ fileName }: OutputChunk | OutputAsset): boolean =>
    Object.hasOwn(mains, fileName.replace(/\.js$/, ''));
  const ordered = [...output.filter((file) => !isProgram(file)), ...output.filter(isProgram)];
  for (const file of ordered) put(file.fileName, file.type === 'chunk' ? file.code : file.source);
  const inputs = output
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    .filter((id) => isOurs(programs, id))
    .map((id) => relative(root, id));
  removeEarlier(out, new Set(output.map(({ fileName }) => fileName)));
  const manifest: Manifest = {
    key: keyOf(programs),
    inputs: Object.fromEntries(inputs.map((path) => [path, stampOf(programs, path)])),
  };
  put('bundled.json', JSON.stringify(manifest));
}

/** A running service may still have to read a part of its bundle. */
function removeEarlier(out: string, current: ReadonlySet<string>): void {
  for (const name of readdirSync(out)) {
    const path = join(out, name);
    if (!current.has(name) && statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { recursive: true });
  }
}
