import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { limitsArgument, type ChildLimits } from '../child/limits.js';
import { userArgument } from '../child/leave-root.js';
import type { FromChild, ToChild } from '../child/messages.js';
import { noNewPrivileges, type EngineUser } from './engine-user.js';

/** Built code, also when this file is run from its source. */
const ENTRY = fileURLToPath(new URL('../../dist/child/main.js', import.meta.url));
const MEBIBYTE = 1024 * 1024;
/** The only settings that an engine process inherits: nothing of the service's own, no secrets. */
const INHERITED = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'HEDDLE_TEST_NODES'];
const HEAP_EXHAUSTED = /heap out of memory|Allocation failed|invalid array length/i;
/** The few vector functions that rows are made by are worth the optimising compiler from their first call on. */
const OPTIMISE_AT_ONCE = '--no-liftoff';
/** Enough to see the runtime's last words across two pieces of its standard error. */
const STDERR_TAIL = 4096;

/** Why an engine process is no more. */
interface ChildExit {
  readonly reason: string;
  /** The JavaScript heap was exhausted. */
  readonly outOfMemory: boolean;
}

/** One engine process. It serves one run at a time. */
export class EngineChild {
  /** Resolves once it serves; rejects when it ends before. */
  readonly ready: Promise<void>;
  readonly exited: Promise<ChildExit>;
  private readonly process: ChildProcess;
  private listener: ((message: FromChild) => void) | null = null;
  private gone = false;
  private killed = false;

  /** `user` is who it becomes before its first run; absent: it stays who this process is. */
  constructor(limits: ChildLimits, heapBytes: number, user?: EngineUser) {
    const flags = [`--max-old-space-size=${Math.ceil(heapBytes / MEBIBYTE)}`, '--expose-gc', OPTIMISE_AT_ONCE];
    // It replaces itself by Node: process id and channel stay.
    const guard = noNewPrivileges();
    this.process = fork(ENTRY, [limitsArgument(limits), userArgument(user)], {
      execPath: guard ?? process.execPath,
      execArgv: guard === null ? flags : ['--no-new-privs', '--', process.execPath, ...flags],
      env: childEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.exited = this.watchExit();
    this.ready = new Promise((resolve, reject) => {
      this.listener = (message) => {
        if (message.kind === 'ready') resolve();
      };
      void this.exited.then((exit) => reject(new Error(`the engine process did not start: ${exit.reason}`)));
    });
    // A caller that needs the process waits for `ready`; unused processes may die unnoticed.
    this.ready.catch(() => undefined);
    this.process.on('message', (messages) => {
      for (const message of messages as FromChild[]) this.listener?.(message);
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get isAlive(): boolean {
    return !this.gone && !this.killed;
  }

  /** Messages go to this listener only. */
  listen(listener: ((message: FromChild) => void) | null): void {
    this.listener = listener;
  }

  send(message: ToChild): void {
    // A process that is gone is noticed by its exit; the callback keeps the failed write from being thrown.
    if (this.process.connected) this.process.send(message, () => undefined);
  }

  kill(): void {
    this.killed = true;
    this.process.kill('SIGKILL');
  }

  private watchExit(): Promise<ChildExit> {
    let tail = '';
    let outOfMemory = false;
    this.process.stderr?.setEncoding('latin1').on('data', (text: string) => {
      tail = (tail + text).slice(-STDERR_TAIL - text.length);
      outOfMemory ||= HEAP_EXHAUSTED.test(tail);
      tail = tail.slice(-STDERR_TAIL);
    });
    return new Promise((resolve) => {
      const end = (reason: string): void => {
        this.gone = true;
        resolve({ reason, outOfMemory });
      };
      const gone = (code: number | null, signal: string | null): void =>
        end(signal === null ? `exit code ${code}` : `signal ${signal}`);
      this.process.on('error', (error: NodeJS.ErrnoException) => {
        if (error.syscall !== 'kill') {
          end(error.message);
        } else if (this.process.connected) {
          // It may not be killed and lives on; without its channel it ends by itself, unless it hangs. No `close` follows then.
          this.process.once('exit', gone);
          this.process.disconnect();
        }
      });
      // `close` comes after the last words were read, `exit` might not.
      this.process.once('close', gone);
    });
  }
}

function childEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' };
  for (const name of INHERITED) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}
