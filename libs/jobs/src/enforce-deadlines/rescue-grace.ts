import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';

/** Why no lease is rescued for now. `silence`: this process or the database did not respond for a while. */
export type Disturbance = 'start' | 'silence' | 'clock_jump';

/** One answer of the database to the query for its time. */
export interface ClockLook {
  /** This process's monotonic clock when the answer was read, milliseconds. */
  readonly processMs: number;
  /** Milliseconds since 1970. */
  readonly databaseMs: number;
}

interface RescueRule {
  /**
   * A silence or jump up to this is tolerated, milliseconds: a third of the lease, because workers renew that often.
   */
  readonly rescueToleranceMs: number;
  /** Time without rescues after a disturbance, milliseconds: a whole lease. */
  readonly rescueGraceMs: number;
}

/**
 * Decides when an expired lease may be taken from its worker (docs/architecture/19): only if the worker could
 * have renewed it for one whole lease. It could not while this service or the database was down, frozen or away, and
 * after a clock jump nobody knows how long the worker was silent. It sees every look at the database's clock and judges
 * only by those: a missing look, or an answer that is read late, is itself a disturbance.
 */
export class RescueGrace implements Observed {
  #last: ClockLook | null = null;
  /** A look at most one grace period older than the last: small jumps must not add up to a large one. */
  #anchor: ClockLook | null = null;
  #began: ClockLook | null = null;

  constructor(private readonly rule: RescueRule) {}

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.rescueGrace, () => this.leftSeconds);
  }

  /** Returns the disturbance that this look reveals since the previous one. */
  observe(look: ClockLook): Disturbance | null {
    const disturbance = this.#disturbance(look);
    if (disturbance !== null) this.#began = look;
    if (disturbance !== null || look.processMs - this.#anchor!.processMs > this.rule.rescueGraceMs) this.#anchor = look;
    this.#last = look;
    return disturbance;
  }

  /** Database time when the current grace period began, milliseconds since 1970; null if leases may be rescued. */
  get since(): number | null {
    if (this.#began === null || this.#last === null) return -Infinity;
    return this.#last.processMs - this.#began.processMs < this.rule.rescueGraceMs ? this.#began.databaseMs : null;
  }

  /** Seconds left of the grace period; 0 if leases may be rescued. */
  get leftSeconds(): number {
    if (this.#began === null) return this.rule.rescueGraceMs / 1000;
    return Math.max(0, this.#began.processMs + this.rule.rescueGraceMs - performance.now()) / 1000;
  }

  /** Milliseconds since 1970: a statement that finds the database's clock later than this must not rescue anything. */
  get trustedUntilMs(): number {
    // Not a sum: with an unlimited tolerance it would be NaN before the first look.
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
