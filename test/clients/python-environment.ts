import { execFile, spawnSync } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '0.5.0';
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const CACHE = join(ROOT, '.cache');

/** True if this machine has a Python with venv. */
export function pythonIsHere(): boolean {
  return spawnSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' }).status === 0;
}

/** Path of a Python with the official SDK. */
export async function pythonWithSdk(): Promise<string> {
  return await pythonWith('comfy-sdk', VERSION, join(CACHE, `python-sdk-${VERSION}`));
}

/** Path of a Python with a package, in a virtual environment that is created once per checkout. */
export async function pythonWith(name: string, version: string, folder: string): Promise<string> {
  const python = join(folder, 'bin', 'python');
  const ready = async (): Promise<boolean> => {
    const { stdout } = await run(python, ['-c', `import importlib.metadata as m; print(m.version("${name}"))`]);
    return stdout.trim() === version;
  };
  const there = await access(python)
    .then(ready)
    .catch(() => false);
  if (there) return python;
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `${name}==${version}`]);
  if (!(await ready())) throw new Error(`${name} ${version} could not be installed in ${folder}`);
  return python;
}
