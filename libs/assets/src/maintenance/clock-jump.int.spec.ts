import type { AssetId } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { MaintenanceLoop } from './maintenance-loop.js';
import { MaintenanceRound } from './maintenance-round.js';

const DAY_MS = 86_400_000;
const ROUNDS_MS = 400;
const alice = somebody();

describe('a jump of the clock of the database', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  beforeEach(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  afterEach(async () => {
    await under.end();
    await database.drop();
  });

  /** An upload of a week, in a service that has looked at the clock and sweeps all the time. */
  async function uploaded(clockToleranceMs: number): Promise<AssetId> {
    under = await assetsUnderTest(database.database, { sweepIntervalMs: 20, clockToleranceMs });
    const rounds = vi.spyOn(under.get(MaintenanceRound), 'run');
    const request = sampleRequest({ bytes: 'a week', expiresIn: '604800' });
    const { id } = valueOf(await under.assets.upload(alice, request)).asset;
    await vi.waitFor(() => expect(rounds).toHaveBeenCalled(), 10_000);
    return id;
  }
  const isKept = async (id: AssetId): Promise<boolean> =>
    (await under.pool.query('select from assets.asset where id = $1', [id])).rowCount === 1;

  it('by 8 days, for many rounds and back, deletes no upload', async () => {
    const id = await uploaded(300_000);
    await database.advanceClock(8 * DAY_MS);
    await new Promise((done) => setTimeout(done, ROUNDS_MS));
    expect(await isKept(id)).toBe(true);
    await database.advanceClock(-8 * DAY_MS);
    await new Promise((done) => setTimeout(done, ROUNDS_MS));
    expect(codeOf(await under.assets.get(alice, id))).toBe('accepted');
  });

  it('between the look at it and the sweep deletes nothing', async () => {
    const id = await uploaded(300_000);
    await under.get(MaintenanceLoop).onApplicationShutdown();
    const trustedUntilMs = await under.get(AssetsDatabase).clock.look();
    await database.advanceClock(8 * DAY_MS);
    await under.get(MaintenanceRound).run(trustedUntilMs!);
    expect(await isKept(id)).toBe(true);
  });

  it('is believed where it stays: sweeps go on', async () => {
    const id = await uploaded(500);
    await database.advanceClock(8 * DAY_MS);
    await new Promise((done) => setTimeout(done, ROUNDS_MS / 2));
    expect(await isKept(id)).toBe(true);
    await vi.waitFor(async () => expect(await isKept(id)).toBe(false), 10_000);
  });
});
