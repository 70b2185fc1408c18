// The files of the image, for both ways of making it: `npm run images` packs them, and docker/heddle.Dockerfile copies them
// onto nothing. They are the programs with what they read, Node, the libraries that Node's loader asks for, and a user.
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { programFiles } from './program-files.ts';

export const USER = 10_001;
/** Where the programs are. */
const HOME = 'opt/heddle';

/** One file, folder or link; `path` is relative to the root of the image. */
export type ImageEntry =
  | { readonly path: string; readonly type: 'file'; readonly content: () => Buffer; readonly mode: number }
  | { readonly path: string; readonly type: 'link'; readonly target: string }
  | { readonly path: string; readonly type: 'folder'; readonly mode: number; readonly owner: number };

/** Of the embedded database. */
const LOCALE = '/usr/lib/locale/C.utf8';

const NOT_READ = /\.(?:d\.[cm]?ts|[cm]?ts|md|markdown)$|\/(?:test|tests|docs|man|doc)\//;

/** Compiled code of a package for systems other than that of the image. */
const FOR_OTHERS = new RegExp(`/prebuilds/(?!linux-${process.arch}/)`);

/** In the order of their paths, with every folder before its content. */
export function imageEntries(root: string, commit: string, node = process.execPath): ImageEntry[] {
  const { files, packages } = programFiles(root);
  const found = new Map<string, ImageEntry>();
  const put = (entry: ImageEntry): void => void found.set(entry.path, entry);
  const copy = (from: string, path: string): void => put(entryOf(from, path));
  for (const path of files) copy(join(root, path), `${HOME}/${path}`);
  for (const folder of packages.keys()) {
    const paths = filesOf(join(root, folder)).filter(
      (path) => !NOT_READ.test(`/${path}`) && !FOR_OTHERS.test(`/${path}`),
    );
    for (const path of paths) copy(join(root, folder, path), `${HOME}/${folder}/${path}`);
  }
  copy(realpathSync(node), 'usr/local/bin/node');
  // The services need no shell and no locale. The embedded database does, once: initdb starts `postgres` through one.
  copy(realpathSync('/bin/sh'), 'bin/sh');
  for (const path of filesOf(LOCALE)) copy(join(LOCALE, path), `${LOCALE.slice(1)}/${path}`);
  const binaries = [
    node,
    '/bin/sh',
    ...[...found.keys()]
      .filter((path) => /\.(?:node|so)(?:\.\d+)*$/.test(path) && !path.includes('/lib/postgresql/'))
      .map((path) => join(root, path.slice(HOME.length + 1))),
  ];
  for (const library of systemLibraries(binaries, root)) copy(realpathSync(library), library.slice(1));
  for (const [path, text] of Object.entries(TEXTS))
    put({ path, type: 'file', mode: 0o644, content: () => Buffer.from(text) });
  // heddle_build_info shows it.
  put({ path: `${HOME}/commit`, type: 'file', mode: 0o644, content: () => Buffer.from(`${commit}\n`) });
  const bom = bill(packages);
  put({ path: `${HOME}/sbom.cdx.json`, type: 'file', mode: 0o644, content: () => Buffer.from(bom) });
  put({ path: 'tmp', type: 'folder', mode: 0o1777, owner: 0 });
  put({ path: 'var/lib/heddle', type: 'folder', mode: 0o700, owner: USER });
  for (const path of [...found.keys()].flatMap(parentsOf))
    if (!found.has(path)) put({ path, type: 'folder', mode: 0o755, owner: 0 });
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const TEXTS: Readonly<Record<string, string>> = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nheddle:x:${USER}:${USER}:heddle:/var/lib/heddle:/sbin/nologin\n`,
  'etc/group': `root:x:0:\nheddle:x:${USER}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

function entryOf(from: string, path: string): ImageEntry {
  const status = lstatSync(from);
  if (status.isSymbolicLink()) return { path, type: 'link', target: readlinkSync(from) };
  // The umask of whoever built it must not show.
  const mode = (status.mode & 0o100) === 0 ? 0o644 : 0o755;
  return { path, type: 'file', mode, content: () => readFileSync(from) };
}

function filesOf(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    // Packages inside of packages are listed by themselves.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(folder, path);
    return [path];
  });
}

/** Libraries of the system that the loader finds for these files, and the loader itself. */
function systemLibraries(binaries: readonly string[], root: string): string[] {
  const listed = binaries.flatMap((binary) => {
    const out = execFileSync('ldd', [binary], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...out.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
  });
  return [...new Set(listed)].filter((path) => !path.startsWith(root));
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Bill of materials (CycloneDX) of what is not bundled, and of Node. */
function bill(packages: ReadonlyMap<string, string>): string {
  const components = [...packages].map(([folder, version]) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { type: 'library', name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
  });
  const node = { type: 'application', name: 'node', version: process.versions.node };
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components: [node, ...components] }, null, 1)}\n`;
}
