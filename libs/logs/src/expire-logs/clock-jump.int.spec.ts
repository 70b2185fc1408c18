import { SweepClock } from '@heddle/platform-database';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captured, HOUR_MS, openLogs, somebody } from '../logs-under-test.fixture.js';
import type { LogsUnderTest } from '../logs-under-test.fixture.js';
import { LogsDatabase } from '../logs-database.js';
import { LogExpirer } from './log-expirer.js';

const JUMP_MS = 8 * 24 * HOUR_MS;
const ROUNDS_MS = 400;

describe('a jump of the clock of the database', () => {
  let here: LogsUnderTest;
  let expirer: LogExpirer;
  let jumps: number[];
  beforeEach(async () => {
    here = await openLogs();
    jumps = [];
    await here.capture(captured(), somebody());
  });
  afterEach(async () => {
    await expirer.stop();
    await here.close();
  });

  /** Rounds follow each other, and one has looked at the clock. */
  async function repeat(toleranceMs: number): Promise<void> {
    const pool = here.db.pool('heddle_logs');
    expirer = new LogExpirer(
      new LogsDatabase(pool),
      new SweepClock(pool, (offMs) => void jumps.push(offMs), toleranceMs),
    );
    const rounds = vi.spyOn(expirer, 'expire');
    expirer.start(20);
    await vi.waitFor(() => expect(rounds).toHaveBeenCalled(), 10_000);
  }
  const kept = async (): Promise<number | null> =>
    (await here.db.owner.query('select from logs.execution_log where not absent')).rowCount;
  const someRounds = async (): Promise<void> => await new Promise((done) => setTimeout(done, ROUNDS_MS));

  it('by 8 days, for many rounds and back, deletes no log', async () => {
    await repeat(300_000);
    await here.db.advanceClock(JUMP_MS);
    await someRounds();
    expect(await kept()).toBe(1);
    await here.db.advanceClock(-JUMP_MS);
    await someRounds();
    expect(await kept()).toBe(1);
    expect(jumps).toHaveLength(1);
  });

  it('is believed where it stays: logs are deleted', async () => {
    await repeat(500);
    await here.db.advanceClock(JUMP_MS);
    await new Promise((done) => setTimeout(done, ROUNDS_MS / 2));
    expect(await kept()).toBe(1);
    await vi.waitFor(async () => expect(await kept()).toBe(0), 10_000);
  });
});
