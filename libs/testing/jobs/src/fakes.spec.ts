import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, JobId } from '@heddle/contracts-messages';
import { describeJobLog } from './job-log.suite.js';
import { describeLeaseAuthority } from './lease-authority.suite.js';
import { describeTaskCredits } from './task-credits.suite.js';
import { JobLogFake } from './job-log.fake.js';
import { LeaseAuthorityFake } from './lease-authority.fake.js';
import { TaskCreditsFake } from './task-credits.fake.js';

describeJobLog('the fake', async () => {
  const jobLog = new JobLogFake();
  const ended: JobId[] = [];
  return await Promise.resolve({
    jobLog,
    submit: async () => {
      const jobId = newUuid() as JobId;
      jobLog.put(jobId, 'open', []);
      return await Promise.resolve(jobId);
    },
    end: async (jobId: JobId) => {
      const output = newUuid() as AssetId;
      jobLog.put(jobId, 'ended', [output]);
      ended.push(jobId);
      return await Promise.resolve(output);
    },
    purge: async () => {
      for (const jobId of ended) jobLog.put(jobId, 'purged', []);
      return await Promise.resolve();
    },
    detach: async () => {
      jobLog.detachTo(ended.toSorted().at(-1)!);
      return await Promise.resolve();
    },
    close: async () => await Promise.resolve(),
  });
});

describeLeaseAuthority('the fake', async () => {
  const authority = new LeaseAuthorityFake();
  return await Promise.resolve({
    authority,
    lend: async (principal) => {
      const lease = authority.lend(principal);
      const { jobExpiresAt } = (await authority.holderOf(lease))!;
      return { ...lease, jobExpiresAt };
    },
    lendAgain: async (principal, { jobId, fence }) =>
      await Promise.resolve(authority.lend(principal, { jobId, fence: fence + 1 })),
    end: async (lease) => await Promise.resolve(authority.takeBack(lease)),
    close: async () => await Promise.resolve(),
  });
});

describeTaskCredits('the fake', () => {
  const credits = new TaskCreditsFake(0);
  return {
    credits,
    grant: async (accountId, amount) => await Promise.resolve(credits.grant(accountId, amount)),
    balanceOf: async (accountId) => await Promise.resolve(credits.balanceOf(accountId)),
  };
});
