import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, JobId } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { JobLogFake } from '@heddle/testing-jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { FollowJobsHandler } from '../follow-jobs/follow-jobs.handler.js';

/** More than one query returns. */
const HOLDERS = 1_100;
const HOUR_MS = 3_600_000;
const PROVISIONAL_MS = 600_000;

describe('the deletion of an asset whose jobs ended while no news of it came', () => {
  const alice = somebody();
  let database: TestDatabase;
  let under: AssetsUnderTest;
  let jobLog: JobLogFake;

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
    jobLog = new JobLogFake();
    under = await assetsUnderTest(database.database, {}, undefined, undefined, { jobLog });
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  const uploaded = async (): Promise<AssetId> =>
    valueOf(await under.assets.upload(alice, sampleRequest({ bytes: newUuid() }))).asset.id;

  /** Jobs that hold the asset; all but the last `open` ones have ended. */
  async function held(assetId: AssetId, count: number, open = 0): Promise<readonly JobId[]> {
    const jobs = Array.from({ length: count }, () => newUuid() as JobId).sort();
    for (const jobId of jobs) valueOf(await under.assets.hold(alice, jobId, { ids: [assetId], names: [] }));
    jobs.forEach((jobId, at) => jobLog.put(jobId, at < count - open ? 'ended' : 'open', []));
    jobLog.asked.length = 0;
    return jobs;
  }

  it('asks about any number of holders, a thousand in each query', async () => {
    const assetId = await uploaded();
    const jobs = await held(assetId, HOLDERS);
    expect(codeOf(await under.assets.delete(alice, assetId))).toBe('accepted');
    expect(jobLog.asked).toEqual([1_000, HOLDERS - 1_000]);
    // The message arrives late, and finds it done.
    const head = { jobId: jobs[0]!, ...alice, version: 2, fence: 1, recordedAt: '' };
    const ended = {
      ...head,
      eventId: newUuid(),
      type: 'JobSucceeded',
      status: 'succeeded',
      outputAssetIds: [],
    } as const;
    await under.get(FollowJobsHandler).handle([ended]);
    const { rows } = await under.pool.query('select from assets.hold where asset_id = $1 and released_at is null', [
      assetId,
    ]);
    expect(rows).toEqual([]);
  });

  it('is refused while one of them runs, and does not ask about the others again', async () => {
    const assetId = await uploaded();
    const [last] = (await held(assetId, 150, 1)).slice(-1);
    expect(codeOf(await under.assets.delete(alice, assetId))).toBe('asset_in_use');
    expect(codeOf(await under.assets.delete(alice, assetId))).toBe('asset_in_use');
    expect(jobLog.asked).toEqual([150, 1]);
    jobLog.put(last!, 'ended', []);
    expect(codeOf(await under.assets.delete(alice, assetId))).toBe('accepted');
  });

  it('releases the hold of a submission that was lost, by the age of the hold and not of the id', async () => {
    const assetId = await uploaded();
    const jobId = newUuid(Date.now() - HOUR_MS) as JobId;
    valueOf(await under.assets.hold(alice, jobId, { ids: [assetId], names: [] }));
    expect(codeOf(await under.assets.delete(alice, assetId))).toBe('asset_in_use');
    await database.advanceClock(PROVISIONAL_MS);
    jobLog.put(jobId, 'open', []);
    expect(codeOf(await under.assets.delete(alice, assetId))).toBe('asset_in_use');
    const lost = await uploaded();
    valueOf(await under.assets.hold(alice, newUuid() as JobId, { ids: [lost], names: [] }));
    expect(codeOf(await under.assets.delete(alice, lost))).toBe('asset_in_use');
    await database.advanceClock(2 * PROVISIONAL_MS);
    expect(codeOf(await under.assets.delete(alice, lost))).toBe('accepted');
  });

  it('asks no service if nothing holds the asset, or if it is of another account', async () => {
    const [free, taken] = [await uploaded(), await uploaded()];
    await held(taken, 1);
    expect(codeOf(await under.assets.delete(somebody(), taken))).toBe('not_found');
    expect(codeOf(await under.assets.delete(alice, free))).toBe('accepted');
    expect(jobLog.asked).toEqual([]);
  });

  it('fails and deletes nothing while the jobs service is away', async () => {
    const assetId = await uploaded();
    await held(assetId, 1);
    jobLog.away = true;
    await expect(under.assets.delete(alice, assetId)).rejects.toThrow('the jobs service is away');
    jobLog.away = false;
    expect(codeOf(await under.assets.get(alice, assetId))).toBe('accepted');
    expect(codeOf(await under.assets.delete(alice, assetId))).toBe('accepted');
  });
});
