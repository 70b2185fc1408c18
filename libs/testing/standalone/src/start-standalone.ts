import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { program } from '@heddle/platform-telemetry/program';
import { freePort, withFreePorts } from '@heddle/platform-database';
import { removeDataDirectory, stopLeftServer } from './left-server.js';
import { newDataDirectory } from './seeded-data.js';

/** A Heddle loads megabytes of code at its start; compiled once it is kept. */
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

/** How a process ended: by itself with a code, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** It ended, or was ended, before it said that it was ready. */
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

/** A running Heddle of its own: a real process with a real database, driven over HTTP. */
export interface Standalone {
  readonly url: string;
  readonly opsUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** Resolves when the process ends, however it does. */
  readonly ended: Promise<Ending>;
  /** Everything it has written to standard output so far. */
  stdout(): string;
  /** Everything it has written to standard error so far (its logs). */
  stderr(): string;
  /** SIGTERM, waits for the end, returns the exit code; the data directory stays. */
  terminate(): Promise<number | null>;
  /** SIGKILL of the service process alone: its database server is left behind, as a crash would leave it. */
  kill9(): Promise<void>;
  /** Ends it if it still runs, with the database server that a kill left behind, and removes a data directory that was made for it. */
  stop(): Promise<void>;
}

/** Starts apps/standalone as its users do and resolves when it says that it is ready. */
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
      ...process.env,
      HEDDLE_PORT: String(port),
      HEDDLE_OPS_PORT: String(opsPort),
      HEDDLE_DATA: dataDir,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const ended = new Promise<Ending>((done) => child.once('exit', (code, signal) => done({ code, signal })));
  // A test run that is cut short leaves no service behind, nor its database server.
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

/** With settings that leave nothing behind but what every start makes. */
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
    // What it said last may still be on its way when it has ended.
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
