import { backoffMs } from '@heddle/contracts-messages';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** A process that ran this long has started well: its next end counts as the first. */
const STEADY_MS = 10_000;
/** 16 s of backoff in total: a problem that restarts can fix is fixed by then. */
const MAX_FAILURES_IN_A_ROW = 8;

type ProcessState = 'starting' | 'running' | 'restarting' | 'failed' | 'stopped';

/** Addresses and log file of a process. */
export interface ProcessPlace {
  /** e.g. `jobs-2`, `postgres` */
  readonly name: string;
  readonly logFile: string;
  /** Port of its own clients: of the API, of workers, of a server's protocol. */
  readonly port: number | null;
  readonly callsPort: number | null;
  readonly opsPort: number | null;
}

export interface ProcessStatus {
  readonly place: ProcessPlace;
  readonly state: ProcessState;
  readonly pid: number | null;
  /** Start of the current run. */
  readonly startedAt: string | null;
  readonly restarts: number;
}

export interface LivesWatch {
  changed(): void;
  /** Prints a line for the operator. */
  say(line: string): void;
  /** The process failed repeatedly and is not restarted. */
  gaveUp(reason: string): void;
}

/** The runs of one process: counts restarts, delays them, and gives up after repeated failures. */
export class ProcessLives {
  #state: ProcessState = 'starting';
  #pid: number | null = null;
  #startedAt: number | null = null;
  #restarts = 0;
  #failures = 0;

  constructor(
    readonly place: ProcessPlace,
    private readonly watch: LivesWatch,
    private readonly now: () => number = Date.now,
  ) {}

  get status(): ProcessStatus {
    const startedAt = this.#startedAt === null ? null : new Date(this.#startedAt).toISOString();
    return { place: this.place, state: this.#state, pid: this.#pid, startedAt, restarts: this.#restarts };
  }

  /** It is ready. Every start but the first is a restart. */
  runs(pid: number | null | undefined): void {
    if (this.#state !== 'starting') this.#restarts++;
    this.#startedAt = this.now();
    this.#become('running', pid ?? null);
  }

  /** It ended unexpectedly. Returns the delay before the restart; null: give up. */
  ended(how: string): number | null {
    const ranMs = this.#startedAt === null ? 0 : this.now() - this.#startedAt;
    this.#startedAt = null;
    this.#failures = ranMs > STEADY_MS ? 1 : this.#failures + 1;
    const { name, logFile } = this.place;
    if (this.#failures === MAX_FAILURES_IN_A_ROW) {
      this.#become('failed', null);
      this.watch.gaveUp(`${name} failed ${MAX_FAILURES_IN_A_ROW} times in a row (${how}); its log: ${logFile}`);
      return null;
    }
    const pauseMs = backoffMs(this.#failures - 1, FIRST_PAUSE_MS, MAX_PAUSE_MS);
    this.#become('restarting', null);
    this.watch.say(`${name} ended (${how}) and is started again in ${pauseMs / 1_000} s; its log: ${logFile}`);
    return pauseMs;
  }

  stops(): void {
    this.#startedAt = null;
    this.#become('stopped', null);
  }

  /** After `stops`: its next start counts as the first. */
  starts(): void {
    this.#failures = 0;
    this.#become('starting', null);
  }

  #become(state: ProcessState, pid: number | null): void {
    this.#state = state;
    this.#pid = pid;
    this.watch.changed();
  }
}
