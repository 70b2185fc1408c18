import { RemoteLeaseAuthority } from '@heddle/internal-api';
import { servedJobs } from '@heddle/internal-api/serve';
import type { JobId, LeaseAuthorityPort, Principal } from '@heddle/contracts-messages';
import { describeLeaseAuthority } from '@heddle/testing-jobs';
import type { LeaseAuthorityUnderTest } from '@heddle/testing-jobs';
import { tokenOf } from './call-servers.js';
import { channelTo, servingCalls } from './grpc-servers.js';
import { handBack, jobsDatabase, leasedBy, openJobs, submissionOf } from './jobs-under-test.js';
import type { JobsUnderTest } from './jobs-under-test.js';
import { outcomeOf, workerOn } from './work-port.suite.js';

interface Bound {
  readonly authority: LeaseAuthorityPort;
  close(): Promise<void>;
}

async function opened(bind: (jobs: JobsUnderTest) => Promise<Bound>): Promise<LeaseAuthorityUnderTest> {
  const db = await jobsDatabase();
  const jobs = await openJobs(db);
  const { authority, close } = await bind(jobs);
  const owners = new Map<JobId, Principal>();
  return {
    authority,
    lend: async (principal) => {
      await jobs.jobs.submit(principal, submissionOf());
      const lease = await leasedBy(jobs.work, principal, 'worker-a');
      owners.set(lease.jobId, principal);
      const { jobId, fence, jobExpiresAt } = lease;
      return { jobId, fence, workerId: 'worker-a', jobExpiresAt };
    },
    lendAgain: async (principal, lease) => {
      await handBack(jobs.work, principal, lease.workerId, lease);
      return { ...(await leasedBy(jobs.work, principal, 'worker-b')), workerId: 'worker-b' };
    },
    end: async (lease) => {
      const { session } = workerOn(jobs.work, owners.get(lease.jobId)!.deploymentId, lease.workerId);
      await session.report([outcomeOf(lease)]);
      await session.close();
    },
    close: async () => {
      await close();
      await jobs.close();
      await db.drop();
    },
  };
}

describeLeaseAuthority('the jobs service, direct', () =>
  opened(({ leaseAuthority }) => Promise.resolve({ authority: leaseAuthority, close: () => Promise.resolve() })),
);

describeLeaseAuthority('the jobs service, over gRPC', () =>
  opened(async (jobs) => {
    const server = await servingCalls(servedJobs(jobs));
    const channel = channelTo('jobs', [server.url], { token: tokenOf('assets') });
    return {
      authority: new RemoteLeaseAuthority(channel),
      close: async () => {
        await channel.close();
        await server.close();
      },
    };
  }),
);
