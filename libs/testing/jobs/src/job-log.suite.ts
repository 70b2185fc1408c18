import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, JobId, JobLogPort } from '@heddle/contracts-messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A jobs service of its own, or what stands for one. */
export interface JobLogUnderTest {
  readonly jobLog: JobLogPort;
  submit(): Promise<JobId>;
  /** Ends an open job, which was submitted last, with one output. */
  end(jobId: JobId): Promise<AssetId>;
  /** Lets the retention of all jobs pass; the ended ones are purged. */
  purge(): Promise<void>;
  /** Lets so much time pass that the partitions of all purged jobs are detached. */
  detach(): Promise<void>;
  close(): Promise<void>;
}

/** Conformance suite of JobLogPort's answers about single jobs. */
export function describeJobLog(name: string, open: () => Promise<JobLogUnderTest>): void {
  describe(`the job log of ${name}`, () => {
    let under: JobLogUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(async () => {
      await under.close();
    });

    it('answers what jobs hold, and which hold nothing any more', async () => {
      const { jobLog } = under;
      const ended = await under.submit();
      expect(await jobLog.holdingsOf([ended])).toEqual(new Map([[ended, { ended: false, outputAssetIds: [] }]]));
      expect(await jobLog.endedOf([ended])).toEqual([]);
      const output = await under.end(ended);
      const open = await under.submit();
      expect(await jobLog.holdingsOf([ended, open])).toEqual(
        new Map([
          [ended, { ended: true, outputAssetIds: [output] }],
          [open, { ended: false, outputAssetIds: [] }],
        ]),
      );
      expect(await jobLog.endedOf([ended, open])).toEqual([ended]);
    });

    it('knows nothing of a job that was never submitted, whatever the time in its id', async () => {
      const { jobLog } = under;
      const unknown = [newUuid() as JobId, newUuid(Date.now() - 3_600_000) as JobId];
      expect(await jobLog.holdingsOf(unknown)).toEqual(new Map());
      expect(await jobLog.endedOf(unknown)).toEqual([]);
    });

    it('still proves the end of a purged job, and has no outputs of it', async () => {
      const { jobLog } = under;
      const jobId = await under.submit();
      await under.end(jobId);
      await under.purge();
      expect(await jobLog.endedOf([jobId, newUuid() as JobId])).toEqual([jobId]);
      expect(await jobLog.holdingsOf([jobId])).toEqual(new Map());
    });

    it('takes every job of a detached partition as ended', async () => {
      const { jobLog } = under;
      const jobId = await under.submit();
      await under.end(jobId);
      await under.purge();
      await under.detach();
      // Its events are gone: a job that never was cannot be distinguished from an ended one by its id.
      const older = newUuid(Date.now() - 3_600_000) as JobId;
      expect(await jobLog.endedOf([jobId, older])).toEqual([jobId, older]);
      expect(await jobLog.holdingsOf([jobId])).toEqual(new Map());
    });
  });
}
