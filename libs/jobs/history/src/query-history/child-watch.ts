import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { QueryError } from './query-error.js';
import { lateError, memoryError } from './query-limits.js';
import type { Question } from './query-messages.js';

/** What the process needs beside the engine's own memory: 95 MB at its start, its heap, and rows in flight. */
const BESIDE_ENGINE_BYTES = 384 * 1024 * 1024;
/** The engine interrupts itself at its limit; the process gets this much longer to say so. */
const GRACE_MS = 2_000;
const LOOK_EVERY_MS = 100;
/** Signals of a process that ran out of memory: the kernel killed it, or V8 aborted at its heap limit. */
const ENDS_OF_MEMORY: ReadonlySet<NodeJS.Signals | null> = new Set<NodeJS.Signals>(['SIGKILL', 'SIGABRT', 'SIGTRAP']);

/** The end of a process: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Kills a process that goes beyond its limits although the engine should have stopped, and knows why it ended. */
export class ChildWatch {
  readonly #timers: NodeJS.Timeout[];
  #reason: QueryError | null = null;

  constructor(
    private readonly child: ChildProcess,
    private readonly question: Question,
  ) {
    const { timeoutMs, memory } = question;
    const limit = bytesOf(memory) + BESIDE_ENGINE_BYTES;
    this.#timers = [
      setTimeout(() => this.#kill(lateError(timeoutMs)), timeoutMs + GRACE_MS),
      setInterval(
        () => void residentBytes(child.pid).then((bytes) => bytes > limit && this.#kill(memoryError(memory))),
        LOOK_EVERY_MS,
      ),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Why the process is gone: the limit that it went beyond, or what its end says. */
  reason({ code, signal }: ChildEnd): Error {
    if (this.#reason !== null) return this.#reason;
    if (ENDS_OF_MEMORY.has(signal)) return memoryError(this.question.memory);
    return new Error(`the process of the query ended with ${signal ?? code}`);
  }

  #kill(reason: QueryError): void {
    this.#reason ??= reason;
    this.child.kill('SIGKILL');
  }
}

/** 0 if the system does not report it: then only the limits of the engine and of the heap apply. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

function bytesOf(memory: string): number {
  const [, count, unit] = /^(\d+)(MB|MiB|GB|GiB)$/.exec(memory) ?? [];
  const units: Readonly<Record<string, number>> = { MB: 1e6, MiB: 2 ** 20, GB: 1e9, GiB: 2 ** 30 };
  return Number(count) * (units[unit ?? ''] ?? Number.NaN);
}
