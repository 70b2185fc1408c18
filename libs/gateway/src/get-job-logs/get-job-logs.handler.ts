import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  accepted,
  DEPLOYMENT_DIRECTORY,
  JOBS_PORT,
  loggedEndOf,
  LOGS_PORT,
  surfaceOf,
  SURFACES,
} from '@heddle/contracts-messages';
import type {
  Answer,
  DeploymentDirectory,
  JobId,
  JobLog,
  JobsPort,
  LogsPort,
  Principal,
} from '@heddle/contracts-messages';

/** The execution log of a job; null where there is none (api-v2, GET logs). */
@Injectable()
export class GetJobLogsHandler {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: Pick<JobsPort, 'get'>,
    @Inject(LOGS_PORT) private readonly logs: Pick<LogsPort, 'read'>,
    @Optional() @Inject(DEPLOYMENT_DIRECTORY) private readonly directory: Pick<DeploymentDirectory, 'byId'> | null,
  ) {}

  async handle(principal: Principal, jobId: JobId): Promise<Answer<JobLog | null>> {
    const found = await this.jobs.get(principal, jobId);
    if (!found.ok) return found;
    const { fence, status, error } = found.value;
    const endedAs = loggedEndOf(status, error);
    if (endedAs === null || !this.#isShown(principal)) return accepted(null);
    const log = await this.logs.read(principal, { jobId, fence, endedAs });
    // A job whose log was never captured is still a job: only its own absence is a 404.
    return log.ok ? log : accepted(null);
  }

  /** A public demo captures logs and withholds them from everybody who may read its jobs. */
  #isShown({ deploymentId }: Principal): boolean {
    if (SURFACES[surfaceOf(deploymentId)].logs !== 'captured') return false;
    return this.directory?.byId(deploymentId)?.publicDemo !== true;
  }
}
