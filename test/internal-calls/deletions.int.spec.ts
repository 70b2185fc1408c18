import { Readable } from 'node:stream';
import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, JobId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsDatabase, MULTIPART, multipartFrame, openAssets } from './assets-under-test.js';
import type { AssetsUnderTest } from './assets-under-test.js';
import { jobsDatabase, openJobs, someAccount, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

const HOUR_MS = 3_600_000;

describe('a deletion while the jobs service is asked about the holders', () => {
  const me = someAccount();
  let jobsDb: TestDatabase;
  let assetsDb: TestDatabase;
  let jobs: JobsUnderTest;
  let under: AssetsUnderTest;
  beforeAll(async () => {
    [jobsDb, assetsDb] = [await jobsDatabase(), await assetsDatabase()];
    jobs = await openJobs(jobsDb);
    under = await openAssets(assetsDb, {}, jobs.leaseAuthority, jobs.jobLog);
  });
  afterAll(async () => {
    await under.end();
    await jobs.close();
    await Promise.all([jobsDb.drop(), assetsDb.drop()]);
  });

  async function uploaded(): Promise<AssetId> {
    const { head, tail } = multipartFrame({ content_type: 'image/png', file_path: 'photo.png' });
    const body = Readable.from([head, Buffer.from(newUuid()), tail]);
    const answer = await under.assets.upload(me, { body, contentType: MULTIPART, idempotencyKey: null });
    if (!answer.ok) throw new Error(answer.rejection.message);
    return answer.value.asset.id;
  }

  // The gateway's clock, which made the id, may be wrong by any time.
  it.each([-HOUR_MS, 0, HOUR_MS])(
    'leaves a submission that is being decided its input, with a gateway clock off by %d ms',
    async (skewMs) => {
      const assetId = await uploaded();
      const jobId = newUuid(Date.now() + skewMs) as JobId;
      expect(await under.assets.hold(me, jobId, { ids: [assetId], names: [] })).toMatchObject({ ok: true });
      expect(await under.assets.delete(me, assetId)).toMatchObject({ rejection: { code: 'asset_in_use' } });
      expect(await jobs.jobs.submit(me, submissionOf({ jobId }))).toMatchObject({ ok: true });
      expect(await under.assets.delete(me, assetId)).toMatchObject({ rejection: { code: 'asset_in_use' } });
      expect(await jobs.jobs.cancel(me, jobId)).toMatchObject({ ok: true });
      expect(await under.assets.delete(me, assetId)).toMatchObject({ ok: true });
    },
  );
});
