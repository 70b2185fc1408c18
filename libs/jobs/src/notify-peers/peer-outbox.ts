import { MAX_HINTS } from '@heddle/contracts-messages';
import type { Counter } from 'prom-client';
import type { JobId, PeerHints, PeersPort, WaitingJob, WorkerLeaseState } from '@heddle/contracts-messages';

/** Time-out of a call to a peer. */
const PEER_PATIENCE_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 250;

/**
 * Hints for one peer. Hints of one turn of the event loop are sent together, those that arrive during a call with the
 * next. Bounded: the peer finds by itself what does not fit or what a failed call lost.
 */
export class PeerOutbox {
  #work: WaitingJob[] = [];
  #states: WorkerLeaseState[] = [];
  #ended: JobId[] = [];
  #commits = false;
  #sequenced = false;
  #scheduled = false;
  #inFlight: Promise<void> | undefined;

  constructor(
    private readonly peer: PeersPort,
    private readonly failed: Counter<never>,
  ) {}

  add(hints: Partial<PeerHints>): void {
    fill(this.#work, hints.work);
    fill(this.#states, hints.states);
    fill(this.#ended, hints.ended);
    this.#commits ||= hints.commits ?? false;
    this.#sequenced ||= hints.sequenced ?? false;
    this.#schedule();
  }

  /** Resolves when all hints so far were sent or dropped. */
  async sent(): Promise<void> {
    while (this.#inFlight !== undefined || this.#hasNews()) {
      await (this.#inFlight ?? this.#flush());
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight !== undefined) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#inFlight === undefined && this.#hasNews()) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#inFlight = this.#send(this.#take());
    await this.#inFlight;
    this.#inFlight = undefined;
    if (this.#hasNews()) this.#schedule();
  }

  async #send(hints: PeerHints): Promise<void> {
    try {
      await withinPatience(this.peer.hint(hints));
    } catch {
      // Away or busy: it finds out by itself. The pause limits calls to a dead peer to a few per second.
      this.failed.inc();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
    }
  }

  #hasNews(): boolean {
    return this.#commits || this.#sequenced || this.#work.length + this.#states.length + this.#ended.length > 0;
  }

  #take(): PeerHints {
    const work = this.#work;
    const states = this.#states;
    const ended = this.#ended;
    const hints = { work, states, ended, commits: this.#commits, sequenced: this.#sequenced };
    [this.#work, this.#states, this.#ended] = [[], [], []];
    [this.#commits, this.#sequenced] = [false, false];
    return hints;
  }
}

/** Rejects after the time-out. */
export async function withinPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`a peer did not answer within ${PEER_PATIENCE_MS} ms`)),
      PEER_PATIENCE_MS,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function fill<T>(list: T[], more: readonly T[] | undefined): void {
  for (const one of more ?? []) {
    if (list.length >= MAX_HINTS) return;
    list.push(one);
  }
}
