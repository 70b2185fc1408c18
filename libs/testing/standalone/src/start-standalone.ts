import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { program } from '@heddle/platform-telemetry/program';
import { freePort, withFreePorts } from '@heddle/platform-database';
import { removeDataDirectory, stopLeftServer } from './left-server.js';
import { newDataDirectory } from './seeded-data.js';

/** Heddle loads megabytes of code at start; keep the compiled form. */
const COMPILED = resolve(fileURLToPath(import.meta.url), '../../../../../node_modules/.cache/heddle/compiled');
const READY_WITHIN_MS = 60_000;
const READ_WITHIN_MS = 10_000;

export interface StandaloneOptions {
  /** Settings by their environment names, e.g. `HEDDLE_WORKERS: '0'`. */
  readonly env?: Readonly<Record<string, string>>;
  /** An existing data directory (a restart); by default a new one that `stop` removes. */
  readonly dataDir?: string;
  readonly port?: number;
}

/** How a process ended: with an exit code, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** It ended, or was ended, before it reported readiness. */
export class NotStarted extends Error {
  constructor(
    message: string,
    readonly ending: Ending,
    /** What it wrote to standard error. */
    readonly stderr: string,
  ) {
    super(`${message}:\n${stderr}`);
  }
}

/** A separate running Heddle: a real process with a real database, driven over HTTP. */
export interface Standalone {
  readonly url: string;
  readonly opsUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** Resolves when the process ends. */
  readonly ended: Promise<Ending>;
  /** Everything it has written to standard output so far. */
  stdout(): string;
  /** Everything it has written to standard error so far (its logs). */
  stderr(): string;
  /** SIGTERM, waits for the end, returns the exit code; the data directory stays. */
  terminate(): Promise<number | null>;
  /** SIGKILL of the service process only: its database server keeps running, as after a crash. */
  kill9(): Promise<void>;
  /**
   * Stops it if it still runs, with a database server left by a kill, and removes a data directory that was created for
   * it.
   */
  stop(): Promise<void>;
}

/** Starts apps/standalone as users do and resolves when it reports readiness. */
export async function startStandalone(options: StandaloneOptions = {}): Promise<Standalone> {
  const given = [options.port, options.env?.['HEDDLE_PORT'], options.env?.['HEDDLE_OPS_PORT']].map(Number);
  return await withFreePorts(given.filter(Number.isInteger), async () => await startOnce(options));
}

async function startOnce(options: StandaloneOptions): Promise<Standalone> {
  const ownDataDir = options.dataDir === undefined;
  const dataDir = options.dataDir ?? (await newDataDirectory(startAndStop));
  const port = options.port ?? (await freePort());
  const opsPort = await freePort();
  const child = spawn(process.execPath, program('standalone'), {
    env: {
      NODE_COMPILE_CACHE: COMPILED,
      ...ownEnvironment(),
      HEDDLE_PORT: String(port),
      HEDDLE_OPS_PORT: String(opsPort),
      HEDDLE_DATA: dataDir,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const ended = new Promise<Ending>((done) => child.once('exit', (code, signal) => done({ code, signal })));
  // An aborted test run leaves neither the service nor its database server behind.
  const last = (): void => void child.kill('SIGTERM');
  process.once('exit', last);
  void ended.then(() => process.off('exit', last));
  const clear = async (): Promise<void> => {
    await stopLeftServer(dataDir);
    if (ownDataDir) await removeDataDirectory(dataDir);
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return (await ended).code;
  };
  try {
    await ready(child, output, ended);
  } catch (error) {
    await end('SIGKILL');
    if (ownDataDir) await clear();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    port,
    dataDir,
    pid: child.pid ?? 0,
    ended,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    terminate: () => end('SIGTERM'),
    kill9: async () => {
      await end('SIGKILL');
    },
    stop: async () => {
      await end('SIGTERM');
      await clear();
    },
  };
}

/** Without what only tests read: a process names settings that it does not know. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { HEDDLE_TEST_SURFACE: _, HEDDLE_TEST_TOPOLOGY: __, ...env } = process.env;
  return env;
}

/** With settings that leave nothing behind but what every start creates. */
async function startAndStop(dataDir: string): Promise<void> {
  const code = await (await startOnce({ dataDir, env: { HEDDLE_WORKERS: '0' } })).terminate();
  if (code !== 0) throw new Error(`the Heddle that makes the data directory of tests ended with ${code}`);
}

interface Output {
  stdout: string;
  stderr: string;
}

function collect(child: ChildProcess): Output {
  const output: Output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr = (output.stderr + text).slice(-4_000_000);
  });
  return output;
}

async function ready(child: ChildProcess, output: Output, ended: Promise<Ending>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const said = new Promise<void>((done, fail) => {
    const look = (): void => {
      if (/^heddle ready /m.test(output.stdout)) done();
    };
    child.stdout?.on('data', look);
    const notStarted = (what: string, ending: Ending): void => fail(new NotStarted(what, ending, output.stderr));
    // Its last output may still be in flight when it has ended.
    const read = new Promise((closed) => child.once('close', closed));
    void ended.then(async (ending) => {
      await Promise.race([read, delay(READ_WITHIN_MS, undefined, { ref: false })]);
      notStarted(`Heddle ended with ${ending.signal ?? ending.code} before it was ready`, ending);
    });
    const late = (): void => notStarted('Heddle was not ready in time', { code: null, signal: null });
    timer = setTimeout(late, READY_WITHIN_MS);
  });
  try {
    await said;
  } finally {
    clearTimeout(timer);
  }
}
