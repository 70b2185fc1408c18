import { describe, expect, it } from 'vitest';
import { RescueGrace } from './rescue-grace.js';
import type { Disturbance } from './rescue-grace.js';

const RULE = { rescueToleranceMs: 10_000, rescueGraceMs: 30_000 };
const DAY_MS = 86_400_000;

/** Looks a second apart: the database's clock starts a day ahead of the process's, which starts at 0. */
class Looks {
  readonly grace = new RescueGrace(RULE);
  #processMs = 0;
  #databaseMs = DAY_MS;

  look(passedMs = 1_000, jumpMs = 0): Disturbance | null {
    this.#processMs += passedMs;
    this.#databaseMs += passedMs + jumpMs;
    return this.grace.observe({ processMs: this.#processMs, databaseMs: this.#databaseMs });
  }

  calm(seconds: number): this {
    for (let second = 0; second < seconds; second++) expect(this.look()).toBeNull();
    return this;
  }

  static started(): Looks {
    const looks = new Looks();
    expect(looks.look()).toBe('start');
    return looks.calm(60);
  }
}

describe('the grace before leases are rescued', () => {
  it('holds before the first look, and a whole lease from it', () => {
    const looks = new Looks();
    expect(looks.grace.since).toBe(-Infinity);
    expect(looks.look()).toBe('start');
    expect(looks.grace.since).toBe(DAY_MS + 1_000);
    expect(looks.calm(29).grace.since).toBe(DAY_MS + 1_000);
    expect(looks.calm(1).grace.since).toBeNull();
  });

  it.each([
    ['a silence', 11_000, 0, 'silence'],
    ['a clock that went on by more than a third of a lease', 1_000, 11_000, 'clock_jump'],
    ['a clock that went back by so much', 1_000, -11_000, 'clock_jump'],
    ['an answer that lay unread in a frozen process', 60_000, -60_000, 'clock_jump'],
  ] as const)('begins anew after %s', (_, passedMs, jumpMs, disturbance) => {
    const looks = Looks.started();
    expect(looks.grace.since).toBeNull();
    expect(looks.look(passedMs, jumpMs)).toBe(disturbance);
    expect(looks.calm(29).grace.since).not.toBeNull();
    expect(looks.calm(1).grace.since).toBeNull();
  });

  it.each([
    [10_000, 0],
    [1_000, 10_000],
    [1_000, -10_000],
  ])('does not begin for %d ms between looks and a clock that moved by %d ms', (passedMs, jumpMs) => {
    const looks = Looks.started();
    expect(looks.look(passedMs, jumpMs)).toBeNull();
    expect(looks.grace.since).toBeNull();
  });

  it('begins for small jumps that add up within a lease', () => {
    const looks = Looks.started();
    const seen = [1, 2, 3, 4, 5, 6].map(() => looks.look(1_000, 4_000));
    expect(seen).toContain('clock_jump');
  });

  it('begins again when it is disturbed itself', () => {
    const looks = Looks.started();
    looks.look(11_000);
    looks.calm(20);
    expect(looks.look(11_000)).toBe('silence');
    expect(looks.calm(29).grace.since).not.toBeNull();
  });

  it('believes the clock for a third of a lease after a look', () => {
    const looks = Looks.started();
    expect(looks.grace.trustedUntilMs).toBe(DAY_MS + 61_000 + 10_000);
  });
});
