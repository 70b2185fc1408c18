import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { applyPatches, patchedNames, patchesText } from '../../tools/apply-patches.mjs';
import { runInstallScripts } from '../../tools/heddle-run.mjs';
import previous from './previous-build.json' with { type: 'json' };

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, '.cache', 'builds');
const MAX_OUTPUT = 64 * 1024 * 1024;

/** A checkout with built programs: `dist/<program>.js` */
export interface Build {
  readonly root: string;
  /** Name of the build in messages */
  readonly name: string;
}

/** An edit of one file, which contains `anchor` exactly once */
export interface Edit {
  readonly path: string;
  readonly anchor: string;
  readonly text: string;
}

/** The checkout of this test, which `npm test` has built */
export const thisBuild: Build = { root: ROOT, name: 'this build' };

/** The previous build. */
export async function previousBuild(): Promise<Build> {
  return await buildOf(previous.commit, 'test/upgrade/previous-build.json');
}

/** The build of a commit. Built once, and cached by its commit. `namedIn`: the file that names it. */
export async function buildOf(commit: string, namedIn: string): Promise<Build> {
  const name = commit.slice(0, 12);
  const isThere = await git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    throw new Error(
      `the previous build is commit ${commit} (${namedIn}), which this clone does not have: ` +
        'fetch it with "git fetch --unshallow", or "git fetch origin <commit>"',
    );
  }
  const make = async (folder: string): Promise<void> => {
    const archive = `${folder}.tar`;
    await git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', ['-xf', archive, '-C', folder]);
    rmSync(archive);
  };
  return { root: await built(`previous-${name}`, make), name: `previous build ${name}` };
}

/** This checkout with edits. Built once, and cached by its sources. */
export async function editedBuild(edits: readonly Edit[]): Promise<Build> {
  const listed = await git('ls-files', '-z', '--cached', '--others', '--exclude-standard');
  // Specs, pages and charts are not built.
  const isBuilt = (path: string): boolean => path !== '' && !/^charts\/|\.(spec\.ts|md)$/.test(path);
  const files = listed.split('\0').filter((path) => isBuilt(path) && existsSync(join(ROOT, path)));
  const hash = createHash('sha256').update(JSON.stringify(edits));
  for (const path of files) hash.update(path).update(readFileSync(join(ROOT, path)));
  const name = `edited-${hash.digest('hex').slice(0, 12)}`;
  for (const old of existsSync(CACHE) ? readdirSync(CACHE) : []) {
    if (/^edited-[0-9a-f]+$/.test(old) && old !== name) rmSync(join(CACHE, old), { recursive: true, force: true });
  }
  const make = async (folder: string): Promise<void> => {
    for (const path of files) copy(join(ROOT, path), join(folder, path));
    // Reuses the compiled packages that no edit affects.
    for (const path of files.filter((file) => file.endsWith('/tsconfig.json'))) {
      const compiled = join(dirname(path), 'dist');
      if (existsSync(join(ROOT, compiled))) copy(join(ROOT, compiled), join(folder, compiled));
    }
    for (const edit of edits) apply(folder, edit);
    await Promise.resolve();
  };
  return { root: await built(name, make), name: 'next build' };
}

const underWay = new Map<string, Promise<string>>();

/** Concurrent callers wait for the same build. */
async function built(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  const building = underWay.get(name) ?? build(folder, make).finally(() => underWay.delete(name));
  underWay.set(name, building);
  return await building;
}

async function build(folder: string, make: (folder: string) => Promise<void>): Promise<string> {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    await make(draft);
    await install(draft);
    await run(process.execPath, ['node_modules/tsc7/bin/tsc', '-b'], { cwd: draft, maxBuffer: MAX_OUTPUT });
    await run(process.execPath, ['tools/bundle.ts'], { cwd: draft, maxBuffer: MAX_OUTPUT });
    // Another process may have been first.
    if (existsSync(folder)) rmSync(draft, { recursive: true, force: true });
    else renameSync(draft, folder);
    return folder;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`the build in ${draft} failed: ${message}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`, {
      cause: error,
    });
  }
}

/** npm waits 5 minutes for a registry that does not answer, three times; a build has 10 minutes. */
const NPM = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-timeout=30000'] as const;

/** Links the packages of this checkout, and fetches only those that the build locks at another version. */
async function install(folder: string): Promise<void> {
  if (process.platform !== 'linux') {
    await run('npm', ['ci', ...NPM], { cwd: folder, maxBuffer: MAX_OUTPUT });
    return await finish(folder);
  }
  const modules = join(folder, 'node_modules');
  await run('cp', ['-al', join(ROOT, 'node_modules'), modules]);
  // The cache is written in place, so it must not be shared.
  rmSync(join(modules, '.cache'), { recursive: true, force: true });
  const others = otherPackages(folder);
  if (others.length === 0) return;
  for (const path of others) rmSync(join(folder, path), { recursive: true, force: true });
  // npm would trust this list instead of looking at what is installed.
  rmSync(join(modules, '.package-lock.json'));
  await run('npm', ['install', ...NPM], { cwd: folder, maxBuffer: MAX_OUTPUT });
  await finish(folder);
}

async function finish(folder: string): Promise<void> {
  applyPatches(folder);
  await runInstallScripts(folder);
}

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
}

/** Paths of the packages that the build needs and this checkout lacks, has at another version, or patches otherwise. */
function otherPackages(folder: string): readonly string[] {
  const packagesOf = (file: string): Readonly<Record<string, Locked>> =>
    (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }).packages;
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  const installed = packagesOf(join(ROOT, 'node_modules', '.package-lock.json'));
  const differ = Object.entries(wanted).filter(([path, { version, integrity, link, optional }]) => {
    if (!path.includes('node_modules/')) return false;
    const found = installed[path];
    if (found === undefined) return optional !== true;
    return link === true ? found.link !== true : found.version !== version || found.integrity !== integrity;
  });
  const patched = patchesText(folder) === patchesText() ? [] : [...patchedNames(ROOT), ...patchedNames(folder)];
  return [...differ.map(([path]) => path), ...patched.map((name) => `node_modules/${name}`)];
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

function apply(folder: string, { path, anchor, text }: Edit): void {
  const file = join(folder, path);
  const parts = readFileSync(file, 'utf8').split(anchor);
  if (parts.length !== 2) {
    throw new Error(
      `test/upgrade/next-event.ts edits ${path} at ${JSON.stringify(anchor)}, which stands there ${parts.length - 1} times`,
    );
  }
  writeFileSync(file, parts.join(text));
}

async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd: ROOT, maxBuffer: MAX_OUTPUT });
  return stdout;
}
