import type { Pool } from 'pg';
import { ClockGuard } from './clock-guard.js';

/** Maximum difference between the advances of the database's clock and of ours before the former is distrusted. */
const CLOCK_TOLERANCE_MS = 300_000;

const DATABASE_TIME = {
  name: 'database_time',
  text: 'select (extract(epoch from heddle.clock_now()) * 1000)::float8 as ms',
};

/**
 * A statement's time, read once, and not past $n, the `trustedUntilMs` of the look before: a clock that jumps between the
 * look and the statement makes nothing due.
 */
export function trustedNowSql(n: number): string {
  return `(select least(heddle.clock_now(), to_timestamp($${n}::float8 / 1000)))`;
}

/** Tells the sweeps of a service whether the database's clock may decide that something is over. */
export class SweepClock {
  readonly #guard: ClockGuard;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    /** Called once a jump. */
    private readonly onJump: (offMs: number) => void,
    toleranceMs = CLOCK_TOLERANCE_MS,
  ) {
    this.#guard = new ClockGuard(toleranceMs);
  }

  /**
   * Looks at the clock, before each round that deletes or ends something by it. Returns its time in milliseconds since
   * 1970, past which the statements of the round must not go: what becomes due meanwhile is left to the next one. Null:
   * the clock is not trusted, and nothing may end.
   */
  async look(): Promise<number | null> {
    const askedMs = performance.now();
    const { rows } = await this.pool.query<{ ms: number }>(DATABASE_TIME);
    const databaseMs = rows[0]!.ms;
    const reading = { askedMs, processMs: performance.now(), databaseMs };
    const verdict = this.#guard.judge(reading);
    if (verdict === 'jumped') this.onJump(Math.round(this.#guard.offMs));
    if (verdict === 'jumped' || verdict === 'off' || verdict === 'outdated') return null;
    this.#guard.trust(reading);
    return databaseMs;
  }
}
