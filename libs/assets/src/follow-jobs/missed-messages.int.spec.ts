import { Readable } from 'node:stream';
import { newUuid } from '@heddle/contracts-messages';
import type { CommittedOutput, JobId, JobMessage } from '@heddle/contracts-messages';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { JobLogFake } from '@heddle/testing-jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assetsUnderTest, codeOf, somebody, valueOf } from '../assets-under-test.fixture.js';
import type { AssetsUnderTest } from '../assets-under-test.fixture.js';
import { sampleRequest } from '../read-multipart/multipart-body.fixture.js';
import { ASSETS_MIGRATIONS } from '../assets-schema/assets-migrations.js';
import { BlobCollector } from '../collect-blobs/blob-collector.js';
import { AssetExpirer } from '../expire-assets/asset-expirer.js';
import { FollowJobsHandler } from './follow-jobs.handler.js';

const DAY = 86_400_000;

describe('an assets service that misses messages of a job', () => {
  let database: TestDatabase;
  let under: AssetsUnderTest;
  let jobLog: JobLogFake;
  const alice = somebody();

  beforeAll(async () => {
    database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
  });
  beforeEach(async () => {
    await under?.end();
    jobLog = new JobLogFake();
    under = await assetsUnderTest(database.database, { blobGraceMs: 0 }, undefined, undefined, { jobLog });
  });
  afterAll(async () => {
    await under.end();
    await database.drop();
  });

  const newJob = (): JobId => newUuid() as JobId;
  const follow = async (jobId: JobId, type: string, more: Partial<JobMessage> = {}): Promise<void> => {
    const recordedAt = new Date(Date.now() + 365 * DAY).toISOString();
    const head = { eventId: newUuid(), jobId, ...alice, version: 1, type, fence: 1, recordedAt };
    await under.get(FollowJobsHandler).handle([{ ...head, status: 'running', ...more }]);
  };
  const commitOutput = async (jobId: JobId): Promise<CommittedOutput> =>
    await under.worker.commitOutput(
      under.leases.lend(alice, { jobId }, new Date(Date.now() + 90 * DAY).toISOString()),
      {
        key: '9/0/0',
        name: 'out.png',
        type: 'image',
        contentType: 'image/png',
        body: Readable.from([Buffer.from(`output of ${jobId}`)]),
      },
    );
  const sweep = async (): Promise<void> => {
    await under.get(AssetExpirer).run();
    await under.get(BlobCollector).run();
  };
  const contentOf = async ({ assetId }: CommittedOutput): Promise<string> =>
    codeOf(await under.assets.content(alice, assetId));

  it('keeps an output whose OutputCommitted never came: the end of the job lists it', async () => {
    const jobId = newJob();
    const output = await commitOutput(jobId);
    const duplicate = await commitOutput(jobId);
    jobLog.put(jobId, 'ended', [output.assetId]);
    await follow(jobId, 'JobSucceeded', { status: 'succeeded', outputAssetIds: [output.assetId] });
    expect(await contentOf(output)).toBe('accepted');
    // Missing from a complete list: that is proof.
    expect(await contentOf(duplicate)).toBe('not_found');
    await database.advanceClock(2 * DAY);
    await sweep();
    expect(await contentOf(output)).toBe('accepted');
  });

  it('deletes nothing at an end without the list, and asks the jobs service before the sweep deletes', async () => {
    const jobId = newJob();
    const output = await commitOutput(jobId);
    const duplicate = await commitOutput(jobId);
    jobLog.put(jobId, 'ended', [output.assetId]);
    await follow(jobId, 'JobSucceeded', { status: 'succeeded' });
    expect([await contentOf(output), await contentOf(duplicate)]).toEqual(['accepted', 'accepted']);
    await database.advanceClock(2 * DAY);
    await sweep();
    expect([await contentOf(output), await contentOf(duplicate)]).toEqual(['accepted', 'not_found']);
  });

  it('deletes nothing while the jobs service does not answer, however long', async () => {
    const jobId = newJob();
    const output = await commitOutput(jobId);
    jobLog.put(jobId, 'ended', [output.assetId]);
    jobLog.away = true;
    await follow(jobId, 'JobSucceeded', { status: 'succeeded' });
    await database.advanceClock(20 * DAY);
    await expect(sweep()).rejects.toThrow('the jobs service is away');
    expect(await contentOf(output)).toBe('accepted');
    jobLog.away = false;
    await sweep();
    expect(await contentOf(output)).toBe('accepted');
  });

  it('leaves the outputs of a job that goes on, and deletes those of a job that the log does not know', async () => {
    const [open, unknown] = [newJob(), newJob()];
    const [ofOpen, ofUnknown] = [await commitOutput(open), await commitOutput(unknown)];
    jobLog.put(open, 'open', []);
    await database.advanceClock(2 * DAY);
    await sweep();
    expect([await contentOf(ofOpen), await contentOf(ofUnknown)]).toEqual(['accepted', 'not_found']);
  });

  it('sweeps many outputs of jobs that go on without losing sight of those behind them', async () => {
    await under.end();
    under = await assetsUnderTest(database.database, { blobGraceMs: 0, sweepBatch: 2 }, undefined, undefined, {
      jobLog,
    });
    for (let round = 0; round < 3; round += 1) {
      const jobId = newJob();
      await commitOutput(jobId);
      jobLog.put(jobId, 'open', []);
    }
    const lost = await commitOutput(newJob());
    await database.advanceClock(2 * DAY);
    for (let round = 0; round < 4; round += 1) await sweep();
    expect(await contentOf(lost)).toBe('not_found');
  });

  it('keeps the input of a waiting job whose JobSubmitted never came', async () => {
    const { asset } = valueOf(await under.assets.upload(alice, sampleRequest({ bytes: 'held by a waiting job' })));
    const [waiting, ended, refused] = [newJob(), newJob(), newJob()];
    for (const jobId of [waiting, ended, refused]) {
      valueOf(await under.assets.hold(alice, jobId, { ids: [asset.id], names: [] }));
    }
    jobLog.put(waiting, 'open', []);
    jobLog.put(ended, 'ended', []);
    await database.advanceClock(2 * DAY);
    await sweep();
    expect(codeOf(await under.assets.delete(alice, asset.id))).toBe('asset_in_use');
    const { rows } = await under.pool.query(
      'select job_id from assets.hold where asset_id = $1 and released_at is null',
      [asset.id],
    );
    expect(rows).toEqual([{ job_id: waiting }]);
  });

  it('deletes everything of a purged job', async () => {
    const jobId = newJob();
    const output = await commitOutput(jobId);
    await follow(jobId, 'JobPurged', { status: 'succeeded' });
    expect(await contentOf(output)).toBe('not_found');
  });
});
