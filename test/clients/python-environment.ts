import { execFile, spawnSync } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '0.5.0';
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDER = join(ROOT, '.cache', `python-sdk-${VERSION}`);

/** True if this machine has a Python with venv. */
export function pythonIsHere(): boolean {
  return spawnSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' }).status === 0;
}

/** Path of a Python with the official SDK, in a virtual environment that is created once per checkout. */
export async function pythonWithSdk(): Promise<string> {
  const python = join(FOLDER, 'bin', 'python');
  const ready = async (): Promise<boolean> => {
    const { stdout } = await run(python, ['-c', 'import importlib.metadata as m; print(m.version("comfy-sdk"))']);
    return stdout.trim() === VERSION;
  };
  const there = await access(python)
    .then(ready)
    .catch(() => false);
  if (there) return python;
  await rm(FOLDER, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', FOLDER]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `comfy-sdk==${VERSION}`]);
  if (!(await ready())) throw new Error(`comfy-sdk ${VERSION} could not be installed in ${FOLDER}`);
  return python;
}
