import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '@heddle/platform-telemetry/program';

const READY = /^heddle ready (\S+)$/m;
const READY_WITHIN_MS = 240_000;

/** One process in the output of `--status --json` */
export interface StatusRow {
  readonly name: string;
  readonly state: string;
  readonly pid: number | null;
  readonly port: number | null;
  readonly health_port: number | null;
  readonly log: string;
  readonly restarts: number;
}

export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `npm run cluster` with a data folder, in its own process group like on a terminal */
export class LauncherProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  out = '';
  err = '';

  private constructor(
    private readonly dataDir: string,
    env: Readonly<Record<string, string>>,
  ) {
    this.#child = spawn(process.execPath, program('cluster'), {
      env: environment(dataDir, env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.#ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  static start(dataDir: string, env: Readonly<Record<string, string>>): LauncherProcess {
    return new LauncherProcess(dataDir, env);
  }

  /** Resolves with the URL of the API. */
  async ready(): Promise<string> {
    const url = (): string | undefined => READY.exec(this.out)?.[1];
    await this.says(() => url() !== undefined);
    return url()!;
  }

  /** Resolves when the condition on its output holds; rejects if it ends before. */
  async says(what: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(READY_WITHIN_MS);
    await new Promise<void>((done, fail) => {
      const look = (): void => {
        if (what()) done();
      };
      for (const pipe of [this.#child.stdout, this.#child.stderr]) pipe?.on('data', look);
      late.addEventListener('abort', () => fail(new Error(`the launcher has not said it in time:\n${this.err}`)));
      void this.#ended.then(() => fail(new Error(`the launcher has ended:\n${this.err}`)));
      look();
    });
  }

  async status(): Promise<StatusRow[]> {
    const { out } = await runLauncher(['--status', '--json'], this.dataDir);
    return (JSON.parse(out) as { processes: StatusRow[] }).processes;
  }

  /** Pids of its processes, read without a command, which would take time during a start. */
  pids(): number[] {
    const state = JSON.parse(readFileSync(join(this.dataDir, 'cluster.json'), 'utf8')) as { processes: StatusRow[] };
    return state.processes.flatMap(({ pid }) => (pid === null ? [] : [pid]));
  }

  /** Sends SIGINT to its process group, like Ctrl-C on a terminal. */
  interrupt(): void {
    process.kill(-this.#child.pid!, 'SIGINT');
  }

  /** Resolves with its exit code. */
  async ended(): Promise<number | null> {
    return await this.#ended;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    await this.#ended;
  }
}

/** Runs a launcher command that ends by itself. */
export async function runLauncher(
  words: readonly string[],
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const child = spawn(process.execPath, [...program('cluster'), ...words], {
    env: environment(dataDir, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** The environment of the machine without settings of another Heddle. */
function environment(dataDir: string, env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('HEDDLE_'));
  return { ...Object.fromEntries(own), HEDDLE_PORT: '0', HEDDLE_DATA: dataDir, ...env };
}
