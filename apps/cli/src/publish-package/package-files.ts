import { execFile } from 'node:child_process';
import { lstat, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { failed, wrongUsage } from '../failure.js';
import type { CliFailure } from '../failure.js';

/** A file of a package. */
export interface PackageFile {
  /** Within the package, with `/`. */
  readonly path: string;
  /** On this machine. */
  readonly source: string;
}

interface SelectedFiles {
  /** By their paths, in the order of their UTF-16 code units, which is the same on every machine. */
  readonly files: readonly PackageFile[];
  /** What was left out although it was named, as sentences. */
  readonly warnings: readonly string[];
}

const IGNORE = '.comfyignore';
/** Of the names of all files. */
const MAX_OUTPUT = 64 * 1024 * 1024;
const run = promisify(execFile);

/** What git tracks in a folder, less what .comfyignore matches, plus everything below the includes. */
export async function selectFiles(folder: string, includes: readonly string[]): Promise<SelectedFiles> {
  const tracked = await gitFiles(folder, ['--cached']);
  const ignored = new Set(await gitFiles(folder, ['--cached', '--ignored', `--exclude-per-directory=${IGNORE}`]));
  const paths = new Set(tracked.filter((path) => !ignored.has(path)));
  const warnings: string[] = [];
  for (const include of includes) {
    const found = await gitFiles(folder, ['--cached', '--others', '--', `:(literal)${includePath(include)}`]);
    if (found.length === 0) warnings.push(`includes names ${include}, which holds no file`);
    for (const path of found) paths.add(path);
  }
  const root = await realpath(folder);
  const files: PackageFile[] = [];
  for (const path of [...paths].sort()) {
    const problem = await problemOf(join(folder, path), root);
    if (problem === null) files.push({ path, source: join(folder, path) });
    else warnings.push(`${path} is left out: ${problem}`);
  }
  warnings.push(...(await uncommitted(folder, paths)));
  if (files.length > 0) return { files, warnings };
  throw wrongUsage(`git tracks no files in ${folder}`, 'git add the files of the package');
}

/** `/web/dist/` and `web/dist` are the same; nothing outside of the folder is packed. */
function includePath(include: string): string {
  const parts = include.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  if (!parts.includes('..')) return parts.join('/') || '.';
  throw wrongUsage(`includes names ${include}, which leads out of the folder of the package`);
}

/** Why a path cannot be packed; null if it can. A link is packed as the file that it leads to. */
async function problemOf(source: string, root: string): Promise<string | null> {
  try {
    const target = await realpath(source);
    if (relative(root, target).split(sep)[0] === '..') return 'it is a link that leads out of the folder';
    const found = await lstat(target);
    if (found.isFile()) return null;
    return found.isDirectory() ? 'it is a submodule, another repository or a link to a folder' : 'it is not a file';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it is not there any more';
    throw error;
  }
}

/** A version never changes: what is published from a working tree that differs from its last commit can never be looked up in git. */
async function uncommitted(folder: string, packed: ReadonlySet<string>): Promise<readonly string[]> {
  const changed = await gitList(folder, ['diff', '--name-only', '--relative', '-z', 'HEAD']).catch(() => null);
  const untracked = await gitFiles(folder, ['--others', '--exclude-standard']);
  const ignored = new Set(await gitFiles(folder, ['--others', '--ignored', `--exclude-per-directory=${IGNORE}`]));
  const left = untracked.filter((path) => !packed.has(path) && !ignored.has(path));
  return [
    ...(changed === null ? ['nothing is committed yet: the files are packed as they are'] : []),
    ...(changed !== null && changed.length > 0
      ? [`${listed(changed)}: not as in the last commit, and packed as it is`]
      : []),
    ...(left.length > 0 ? [`git does not track ${listed(left)}: not packed`] : []),
  ];
}

/** The first paths of a list. */
function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}

async function gitFiles(folder: string, words: readonly string[]): Promise<string[]> {
  return await gitList(folder, ['ls-files', '-z', ...words]);
}

async function gitList(folder: string, words: readonly string[]): Promise<string[]> {
  try {
    const git = ['-C', folder, ...words];
    const { stdout } = await run('git', git, { maxBuffer: MAX_OUTPUT, env: gitEnvironment() });
    return stdout.split('\0').filter((path) => path !== '');
  } catch (error) {
    throw explained(error, folder);
  }
}

/** Variables that a hook of git sets would name another repository than that of the folder. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, GIT_PREFIX: ____, ...env } = process.env;
  return { ...env, LC_ALL: 'C' };
}

function explained(error: unknown, folder: string): CliFailure {
  const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string };
  if (code === 'ENOENT')
    return failed('git cannot be started: it lists the files of the package', 'install git, and run the command again');
  if (stderr.includes('not a git repository'))
    return wrongUsage(
      `${folder} is not in a git repository: a package has the files that git tracks`,
      `git -C ${folder} init && git -C ${folder} add . makes one; check with git status that no secret is added`,
    );
  const [line = String(error)] = stderr.split('\n');
  return failed(`git does not list the files of ${folder}: ${line.replace(/^fatal: /, '')}`);
}
