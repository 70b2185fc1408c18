import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

interface S3ProcessOptions {
  readonly binary: string;
  readonly port: number;
  /** Absolute: the server accepts no relative path. */
  readonly objectsDir: string;
  readonly logFile: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** Buckets are also reachable as labels below this name. */
  readonly virtualDomain?: string;
  /** Called when the server ends after it was ready, and was not stopped from here. */
  ended?(how: string): void;
}

const READY_WITHIN_MS = 20_000;
const TERM_PATIENCE_MS = 8_000;
const POLL_MS = 25;
const LOG_END = 2_000;

/** One run of the server, from start to end. */
export class S3Process {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #killAtExit = (): void => void this.#child.kill('SIGKILL');
  #isOver = false;
  #isReady = false;
  #stopping = false;

  private constructor(child: ChildProcess, ended?: (how: string) => void) {
    this.#child = child;
    this.#ended = new Promise((done) => {
      const over = (): void => {
        this.#isOver = true;
        process.off('exit', this.#killAtExit);
        done();
      };
      child.once('error', over).once('exit', (code, signal) => {
        over();
        if (this.#isReady && !this.#stopping) ended?.(signal ?? `exit code ${code}`);
      });
    });
    process.once('exit', this.#killAtExit);
  }

  /** Resolves when the server answers; rejects with the end of its log once the process is gone. */
  static async start(options: S3ProcessOptions): Promise<S3Process> {
    const log = await open(options.logFile, 'a', 0o600);
    const flags = ['--port', `127.0.0.1:${options.port}`, '--region', options.region];
    const { virtualDomain } = options;
    if (virtualDomain !== undefined) flags.push('--virtual-domain', virtualDomain);
    const child = spawn(
      options.binary,
      [...flags, '--keep-alive', '--quiet', '--health', '/healthz', 'posix', options.objectsDir],
      {
        env: { PATH: process.env['PATH'], ROOT_ACCESS_KEY: options.accessKey, ROOT_SECRET_KEY: options.secretKey },
        stdio: ['ignore', log.fd, log.fd],
        // Ctrl-C reaches the process that started it, which stops it when it is no longer needed.
        detached: true,
      },
    );
    const running = new S3Process(child, options.ended);
    await log.close();
    await running.#ready(options).catch(async (error: unknown) => {
      await running.kill();
      throw error;
    });
    running.#isReady = true;
    return running;
  }

  get pid(): number | undefined {
    return this.#isOver ? undefined : this.#child.pid;
  }

  /** Like a crash of the machine: nothing is finished. */
  async kill(): Promise<void> {
    this.#stopping = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child.kill('SIGTERM');
    const patience = new AbortController();
    const late = delay(TERM_PATIENCE_MS, undefined, { signal: patience.signal }).then(
      () => this.kill(),
      () => undefined,
    );
    await Promise.race([this.#ended, late]);
    patience.abort();
  }

  async #ready({ port, logFile }: S3ProcessOptions): Promise<void> {
    for (const giveUpAt = Date.now() + READY_WITHIN_MS; Date.now() < giveUpAt; await delay(POLL_MS)) {
      if (this.#isOver) throw new Error(`the S3 server ended at its start: ${await endOf(logFile)}`);
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1_000) }).catch(
        () => null,
      );
      await answer?.body?.cancel();
      // If our server has ended, another one answers on its port.
      if (answer?.status === 200 && !this.#isOver) return;
    }
    throw new Error(`the S3 server was not ready within ${READY_WITHIN_MS / 1000} s: ${await endOf(logFile)}`);
  }
}

async function endOf(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.trim() === '' ? `${logFile} is empty` : `${logFile} ends with: ${text.slice(-LOG_END).trim()}`;
}
