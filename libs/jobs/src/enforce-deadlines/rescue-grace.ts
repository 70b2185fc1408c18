/** Why no lease is rescued for now. `silence`: this process or the database did not answer for a while. */
export type Disturbance = 'start' | 'silence' | 'clock_jump';

/** One answer of the database to the question for its time. */
export interface ClockLook {
  /** By the monotonic clock of this process when the answer was read, milliseconds. */
  readonly processMs: number;
  /** Milliseconds since 1970. */
  readonly databaseMs: number;
}

export interface RescueRule {
  /** A silence or a jump up to this is none, milliseconds: a third of the lease, for a worker renews its lease that often. */
  readonly rescueToleranceMs: number;
  /** No lease is rescued for so long after a disturbance, milliseconds: a whole lease. */
  readonly rescueGraceMs: number;
}

/**
 * When a lease that ran out may be taken from its worker (docs/architecture/01, Rescue): only when the worker could have
 * renewed it for one whole lease. It could not while this service or the database was down, frozen or away, and a clock
 * that jumped says nothing of how long the worker was silent.
 * It is fed with every look at the database's clock, and judges by those alone: a look that does not come, or whose answer
 * is read late, is itself the sign of a disturbance.
 */
export class RescueGrace {
  #last: ClockLook | null = null;
  /** A look up to one grace older than the last: small jumps must not add up to a large one. */
  #anchor: ClockLook | null = null;
  #began: ClockLook | null = null;

  constructor(private readonly rule: RescueRule) {}

  /** What this look shows to have happened since the one before. */
  observe(look: ClockLook): Disturbance | null {
    const disturbance = this.#disturbance(look);
    if (disturbance !== null) this.#began = look;
    if (disturbance !== null || look.processMs - this.#anchor!.processMs > this.rule.rescueGraceMs) this.#anchor = look;
    this.#last = look;
    return disturbance;
  }

  /** Database time at which the grace that is in force began, milliseconds since 1970; null: leases may be rescued. */
  get since(): number | null {
    if (this.#began === null || this.#last === null) return -Infinity;
    return this.#last.processMs - this.#began.processMs < this.rule.rescueGraceMs ? this.#began.databaseMs : null;
  }

  /** Seconds that the grace lasts on; 0 while leases may be rescued. */
  get leftSeconds(): number {
    if (this.#began === null) return this.rule.rescueGraceMs / 1000;
    return Math.max(0, this.#began.processMs + this.rule.rescueGraceMs - performance.now()) / 1000;
  }

  /** Milliseconds since 1970: a statement that finds the database's clock later than this must rescue nothing. */
  get trustedUntilMs(): number {
    // Not a sum: without a bound of the tolerance it would be no number before the first look.
    return this.#last === null ? -Infinity : this.#last.databaseMs + this.rule.rescueToleranceMs;
  }

  #disturbance(look: ClockLook): Disturbance | null {
    if (this.#last === null || this.#anchor === null) return 'start';
    const { rescueToleranceMs } = this.rule;
    const jumpedMs = (since: ClockLook): number =>
      Math.abs(look.databaseMs - since.databaseMs - (look.processMs - since.processMs));
    if (Math.max(jumpedMs(this.#last), jumpedMs(this.#anchor)) > rescueToleranceMs) return 'clock_jump';
    return look.processMs - this.#last.processMs > rescueToleranceMs ? 'silence' : null;
  }
}
