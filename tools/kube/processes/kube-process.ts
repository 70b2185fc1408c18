import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity } from '@heddle/platform-database';

export interface ProcessPlan {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves to true when the process serves. */
  readonly isReady: () => Promise<boolean>;
  readonly readyWithinMs?: number;
}

const READY_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 15_000;
const POLL_MS = 50;
const LOG_END = 1_500;

/** Writes the file by which `--down` finds a process after the launcher was killed. */
export function noteProcess(folders: { readonly processes: string }, name: string, pid: number | undefined): string {
  const record = join(folders.processes, `${name}.json`);
  const identity = pid === undefined ? undefined : processIdentity(pid);
  writeFileSync(record, JSON.stringify({ pid, identity }));
  return record;
}

/** A process of the cluster. A file with its id outlives a killed launcher, so that `--down` finds it. */
export class KubeProcess {
  readonly #plan: ProcessPlan;
  readonly #child: ChildProcess;
  readonly #files: { readonly record: string; readonly log: string };
  #isOver = false;

  private constructor(plan: ProcessPlan, child: ChildProcess, files: { record: string; log: string }) {
    this.#plan = plan;
    this.#child = child;
    this.#files = files;
    child.once('exit', () => (this.#isOver = true)).once('error', () => (this.#isOver = true));
  }

  /** Resolves when it serves; rejects with the end of its log if it does not. */
  static async start(plan: ProcessPlan, folders: { processes: string; logs: string }): Promise<KubeProcess> {
    mkdirSync(folders.processes, { recursive: true });
    const log = join(folders.logs, `${plan.name}.log`);
    const output = openSync(log, 'a', 0o600);
    const child = spawn(plan.program, plan.args, {
      // Proxies and cloud credentials of the caller are no business of a cluster.
      env: { PATH: process.env['PATH'], HOME: folders.logs, ...plan.env },
      stdio: ['ignore', output, output],
      // Ctrl-C reaches the launcher, which stops its processes in order.
      detached: true,
    });
    closeSync(output);
    const record = noteProcess(folders, plan.name, child.pid);
    const started = new KubeProcess(plan, child, { record, log });
    await started.#ready();
    return started;
  }

  get name(): string {
    return this.#plan.name;
  }

  /** SIGTERM, then SIGKILL. */
  async stop(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!this.#isOver) this.#child.kill(signal);
      for (const until = performance.now() + STOP_WITHIN_MS; !this.#isOver && performance.now() < until;)
        await delay(POLL_MS);
    }
    rmSync(this.#files.record, { force: true });
  }

  async #ready(): Promise<void> {
    const { isReady, readyWithinMs = READY_WITHIN_MS } = this.#plan;
    for (const until = performance.now() + readyWithinMs; performance.now() < until; await delay(POLL_MS)) {
      if (this.#isOver) throw new Error(`${this.name} ended at its start: ${this.#lastWords()}`);
      if (await isReady().catch(() => false)) return;
    }
    await this.stop();
    throw new Error(`${this.name} was not ready within ${readyWithinMs / 1000} s: ${this.#lastWords()}`);
  }

  #lastWords(): string {
    return `${this.#files.log} ends with: ${readFileSync(this.#files.log, 'utf8').slice(-LOG_END).trim()}`;
  }
}
