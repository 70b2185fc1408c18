import { projectJob } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId, JobOutput, JobView } from '@heddle/contracts-messages';

/** A folded job as services exchange it; the caller has checked that it is visible. */
export function jobView(
  job: {
    readonly jobId: JobId;
    readonly accountId: AccountId;
    readonly deploymentId: DeploymentId;
    readonly state: JobState;
  },
  queuePosition: number | null,
): JobView {
  const projection = projectJob(job.state);
  if (projection === null) throw new Error(`job ${job.jobId} is ${job.state.status} and has no view`);
  return {
    id: job.jobId,
    accountId: job.accountId,
    deploymentId: job.deploymentId,
    ...projection,
    outputs: projection.outputs as readonly JobOutput[],
    queuePosition: projection.status === 'queued' ? queuePosition : null,
  };
}
