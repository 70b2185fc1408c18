import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Build } from './builds.ts';

const READY_WITHIN_MS = 120_000;
/** Stop time-out: a launcher stops its services, a service drains. */
const STOP_WITHIN_MS = 60_000;

export interface BuildProgram {
  /** File in the build's `dist`, without extension */
  readonly program: string;
  readonly words?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** A program of a build in a separate process */
export class BuildProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #exit: Promise<number | null>;
  #said = '';

  constructor(build: Build, { program, words = [], env, logFile }: BuildProgram) {
    this.#name = build.name;
    const log = createWriteStream(logFile, { flags: 'a' });
    // The IPC channel closes when this process ends, and then the child stops.
    this.#child = spawn(process.execPath, [join(build.root, 'dist', `${program}.js`), ...words], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#exit = new Promise((done) => this.#child.once('close', (code) => done(code)));
    const hear = (chunk: Buffer): void => {
      this.#said = (this.#said + chunk.toString()).slice(-20_000);
      log.write(chunk);
    };
    this.#child.stdout?.on('data', hear);
    this.#child.stderr?.on('data', hear);
    void this.#exit.then(() => log.end());
  }

  /** The end of its output */
  get said(): string {
    return this.#said;
  }

  /** Resolves when it reports that it is ready; rejects with the end of its log if it ends before. */
  async ready(): Promise<this> {
    const late = AbortSignal.timeout(READY_WITHIN_MS);
    await new Promise<void>((done, fail) => {
      const give = (how: string) => (): void =>
        fail(new Error(`a process of ${this.#name} ${how}:\n${this.#said.slice(-4_000)}`));
      const look = (): void => {
        if (!/ ready \S+$/m.test(this.#said)) return;
        this.#child.stdout?.off('data', look);
        done();
      };
      this.#child.stdout?.on('data', look);
      look();
      late.addEventListener('abort', give('was not ready in time'));
      void this.#exit.then(give('ended before it was ready'));
    });
    return this;
  }

  /** Its exit code; null after a signal. */
  get exited(): Promise<number | null> {
    return this.#exit;
  }

  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  /** Stops it in order; kills it after the time-out. */
  async stop(): Promise<number | null> {
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS);
    this.thaw();
    this.#child.kill('SIGTERM');
    const code = await this.#exit;
    clearTimeout(late);
    return code;
  }
}
