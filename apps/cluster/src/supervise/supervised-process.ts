import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { program } from '@heddle/platform-telemetry/program';
import type { ProgramName } from '@heddle/platform-telemetry/program';
import { ProcessLives } from './process-lives.js';
import type { LivesWatch, ProcessPlace } from './process-lives.js';

const READY_WITHIN_MS = 120_000;
/** Above the time that a process gives itself for a stop. */
const STOP_MARGIN_MS = 2_500;
const LAST_OF_LOG = 4_000;
const READ_WITHIN_MS = 1_000;

export interface ProcessPlan extends ProcessPlace {
  readonly program: ProgramName;
  /** A stop of the process takes no longer. */
  readonly stopMs: number;
  readonly env: Readonly<Record<string, string>>;
}

/** It ended before it was ready: the message contains the end of its log. */
class NotStartedError extends Error {}

/** A service's process, restarted whenever it ends unexpectedly. */
export class SupervisedProcess<Plan extends ProcessPlan = ProcessPlan> {
  #log: WriteStream;
  #child: ChildProcess | null = null;
  #stopping = false;
  #restart: NodeJS.Timeout | null = null;
  #tail = '';
  #saidAll: Promise<void> = Promise.resolve();

  readonly lives: ProcessLives;

  constructor(
    readonly plan: Plan,
    watch: LivesWatch,
  ) {
    this.lives = new ProcessLives(plan, watch);
    this.#log = this.#openLog();
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when it reports readiness; rejects with the end of its log if it ends before. */
  async start(): Promise<void> {
    this.#stopping = false;
    this.lives.starts();
    if (this.#log.writableEnded) this.#log = this.#openLog();
    await this.#run();
  }

  /** Stops the process with SIGSTOP until `resume`: it neither ends nor answers. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** `kill -9`, like a crash: it is restarted. Resolves when the process is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Resolves when it is gone, with its exit code, or null after a signal; it is not restarted. */
  async stop(): Promise<number | null> {
    this.#comesBackNoMore();
    this.resume();
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), this.plan.stopMs + STOP_MARGIN_MS);
    const code = await this.#end('SIGTERM');
    clearTimeout(late);
    this.lives.stops();
    await this.#endLog();
    return code;
  }

  /** `kill -9` without a restart. Sent when it returns, gone when it resolves. */
  async destroy(): Promise<void> {
    this.#comesBackNoMore();
    await this.#end('SIGKILL');
    this.lives.stops();
    await this.#endLog();
  }

  #openLog(): WriteStream {
    const log = createWriteStream(this.plan.logFile, { flags: 'a', mode: 0o600 });
    // A full disk takes no log; the services continue.
    log.on('error', (error) => (this.#tail += `\nits log cannot be written: ${error.message}`));
    return log;
  }

  async #endLog(): Promise<void> {
    await this.#read();
    this.#log.end();
  }

  /** Resolves after the process's last output; its orphaned children may hold the pipe for longer. */
  async #read(): Promise<void> {
    const late = new AbortController();
    await Promise.race([
      this.#saidAll,
      delay(READ_WITHIN_MS, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
  }

  #comesBackNoMore(): void {
    this.#stopping = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
  }

  /** 0 if it does not run. */
  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === null) return 0;
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    child.kill(signal);
    return await ended;
  }

  async #run(): Promise<void> {
    const { env, name } = this.plan;
    // The channel shows the process when this one is gone, so that it stops.
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
    // In its own process group: Ctrl-C reaches the launcher, which stops its processes in order.
    const child = spawn(process.execPath, program(this.plan.program), { env, stdio: [...stdio], detached: true });
    this.#child = child;
    child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#log.writable) this.#log.write(chunk);
      this.#tail = (this.#tail + chunk.toString()).slice(-LAST_OF_LOG);
    });
    let isReady = false;
    const closed = new Promise<void>((done) => child.once('close', () => done()));
    // Its last output may still be in flight when it has ended.
    this.#saidAll = closed;
    await new Promise<void>((ready, fail) => {
      const giveUp = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
      child.stdout?.on('data', (chunk: Buffer) => {
        if (isReady || !/ ready \S+$/m.test(chunk.toString())) return;
        isReady = true;
        clearTimeout(giveUp);
        if (!this.#stopping) this.lives.runs(child.pid);
        ready();
      });
      child.once('error', fail);
      child.once('exit', (code, signal) => {
        clearTimeout(giveUp);
        this.#child = null;
        const how = `${name} ended (${signal ?? code}) before it was ready`;
        if (!isReady) void this.#read().then(() => fail(new NotStartedError(`${how}; ${this.#lastWords()}`)));
        else if (!this.#stopping) this.#comeBack(signal ?? `exit code ${code}`);
      });
    });
  }

  #comeBack(how: string): void {
    const pauseMs = this.lives.ended(how);
    if (pauseMs === null) return;
    this.#restart = setTimeout(() => {
      if (!this.#stopping) this.#run().catch(() => this.#stopping || this.#comeBack('it did not start'));
    }, pauseMs);
  }

  /** If an operator must change something, its last line says what. */
  #lastWords(): string {
    const told = this.#tail
      .trimEnd()
      .split('\n')
      .findLast((line) => line.startsWith('heddle: '));
    return told?.slice('heddle: '.length) ?? `its log ${this.plan.logFile} ends with:\n${this.#tail}`;
  }
}
