import { newUuid } from '@heddle/contracts-messages';
import type { JobId, JobLogPort, JobMessagePage } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';
import { someAccount, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';

/** JobLogPort, directly and over gRPC. `service`: the one whose log it is. */
export function itAnswersWhatJobsHold(jobLog: () => JobLogPort, service: () => JobsUnderTest): void {
  it('answers what jobs hold, and which hold nothing any more', async () => {
    const me = someAccount();
    const submission = submissionOf();
    await service().jobs.submit(me, submission);
    const asked = [submission.jobId, newUuid() as JobId];
    expect(await jobLog().holdingsOf(asked)).toEqual(new Map([[asked[0], { ended: false, outputAssetIds: [] }]]));
    // The submission may still be under way, whatever time its id has: only the log proves an end.
    const [young, old] = [newUuid() as JobId, newUuid(Date.now() - 3_600_000) as JobId];
    expect(await jobLog().endedOf([submission.jobId, young, old])).toEqual([]);
    await service().jobs.cancel(me, submission.jobId);
    expect(await jobLog().endedOf([submission.jobId, young, old])).toEqual([submission.jobId]);
    expect(await jobLog().holdingsOf(asked)).toEqual(new Map([[asked[0], { ended: true, outputAssetIds: [] }]]));
    const thousand = Array.from({ length: 1_000 }, () => newUuid() as JobId);
    expect(await jobLog().endedOf(thousand)).toEqual([]);
  });

  it('pages through the messages of the log', async () => {
    const me = someAccount();
    const { jobId } = submissionOf();
    await service().jobs.submit(me, submissionOf({ jobId, metadata: { name: 'é' } }));
    const all = async (): Promise<JobMessagePage> => await service().jobLog.messagesAfter(0, 1_000);
    await expect.poll(async () => (await all()).messages.at(-1)?.message.jobId).toBe(jobId);
    const { head } = await all();
    const page = await jobLog().messagesAfter(head - 1, 10);
    expect(page).toEqual(await service().jobLog.messagesAfter(head - 1, 10));
    expect(page.messages).toHaveLength(1);
    expect(page.after).not.toBeNull();
    expect((await jobLog().messagesAfter(0, 1)).after).toBeNull();
  });
}
