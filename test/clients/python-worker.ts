import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const EXAMPLE = join(ROOT, 'deploy/examples/python-worker');
const FOLDER = join(ROOT, '.cache/python-worker');

export const EXAMPLE_SOURCE = join(EXAMPLE, 'worker.py');

/** Path of a Python with the requirements of the example worker, in a virtual environment per checkout. */
async function python(): Promise<string> {
  const wanted = await readFile(join(EXAMPLE, 'requirements.txt'), 'utf8');
  const note = join(FOLDER, 'installed.txt');
  const executable = join(FOLDER, 'bin', 'python');
  const isThere = await access(executable)
    .then(async () => (await readFile(note, 'utf8')) === wanted)
    .catch(() => false);
  if (isThere) return executable;
  await rm(FOLDER, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', FOLDER]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(executable, [...pip, '-r', join(EXAMPLE, 'requirements.txt')]);
  await writeFile(note, wanted);
  return executable;
}

export interface PythonWorker {
  readonly process: ChildProcess;
  /** Its output so far */
  said(): string;
  stop(): Promise<void>;
}

/** Starts the example with stubs generated from the current proto. */
export async function startPythonWorker(env: Readonly<Record<string, string>>): Promise<PythonWorker> {
  const executable = await python();
  const stubs = join(FOLDER, 'stubs');
  await mkdir(stubs, { recursive: true });
  await run('sh', [join(EXAMPLE, 'generate.sh'), stubs], { env: { ...process.env, PYTHON: executable } });
  const child = spawn(executable, ['-u', EXAMPLE_SOURCE], {
    env: { ...process.env, ...env, PYTHONPATH: stubs },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    process: child,
    said: () => said,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
