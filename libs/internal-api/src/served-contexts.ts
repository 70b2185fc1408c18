// What each service serves over gRPC. A package entry of its own: a process that only calls loads no server.
import type {
  CataloguesPort,
  CreditsPort,
  DeploymentFeed,
  DeploymentsPort,
  JobLimitsPort,
  JobLogPort,
  JobsPort,
  LeaseAuthorityPort,
  PeersPort,
  TaskCreditsPort,
} from '@heddle/contracts-messages';
import type { ServedContext } from '@heddle/platform-service-calls/serve';
import { servedCredits } from './credits/credits.controller.js';
import { servedCatalogues } from './deployments/catalogues.controller.js';
import { servedDeployments } from './deployments/deployments.controller.js';
import { servedJobLimits } from './job-limits/job-limits.controller.js';
import { servedJobLog } from './job-log/job-log.controller.js';
import { servedJobsPort } from './jobs/jobs.controller.js';
import { servedLeaseAuthority } from './lease-authority/lease-authority.controller.js';
import { servedPeers } from './peers/peers.controller.js';
import { servedTaskCredits } from './task-credits/task-credits.controller.js';

export { ASSETS_CALLS, servedAssets } from './assets/assets.controller.js';
export { assetBytes } from './assets/asset-bytes.js';
export { CATALOGUES_CALLS, servedCatalogues } from './deployments/catalogues.controller.js';
export { CREDITS_CALLS } from './credits/credits.controller.js';
export { DEPLOYMENTS_CALLS, servedDeployments } from './deployments/deployments.controller.js';
export { JOB_LIMITS_CALLS } from './job-limits/job-limits.controller.js';
export { JOB_LOG_CALLS } from './job-log/job-log.controller.js';
export { JOBS_CALLS, servedJobsPort } from './jobs/jobs.controller.js';
export { LEASE_AUTHORITY_CALLS } from './lease-authority/lease-authority.controller.js';
export { LOGS_CALLS, servedLogs } from './logs/logs.controller.js';
export { MODERATION_CALLS, servedModeration } from './moderation/moderation.controller.js';
export { NODE_PACKAGES_CALLS, servedNodePackages } from './registry/node-packages.controller.js';
export { REGISTRY_ADMIN_CALLS, servedRegistryAdmin } from './registry/registry-admin.controller.js';
export { servedStorage, STORAGE_CALLS } from './storage/storage.controller.js';
export { PEERS_CALLS, servedPeers } from './peers/peers.controller.js';
export { TASK_CREDITS_CALLS } from './task-credits/task-credits.controller.js';
export { servedValidation, VALIDATION_CALLS } from './validation/validation.controller.js';
export { workerAssetBytes } from './worker-assets/worker-asset-bytes.js';

/** The deployments of a jobs replica, as others call them. */
interface ServedDeployments {
  readonly deployments: DeploymentsPort;
  readonly feed: DeploymentFeed;
  readonly catalogues: CataloguesPort;
}

export interface ServedJobs {
  readonly jobs: JobsPort;
  readonly credits: CreditsPort;
  readonly taskCredits: TaskCreditsPort;
  readonly jobLimits: JobLimitsPort;
  readonly jobLog: JobLogPort;
  readonly leaseAuthority: LeaseAuthorityPort;
  readonly peers: PeersPort;
  /** Name of this replica among its peers */
  readonly instanceId: string;
  /** Absent where no deployments are served. */
  readonly deployments?: ServedDeployments;
}

/** The calls of other services to the jobs service. Workers use the worker protocol (`work/`). */
export function servedJobs(ports: ServedJobs): readonly ServedContext[] {
  const { jobs, credits, taskCredits, jobLimits, jobLog, leaseAuthority, peers, instanceId, deployments } = ports;
  return [
    servedJobsPort(jobs),
    servedJobLog(jobLog),
    servedLeaseAuthority(leaseAuthority),
    servedPeers(peers, instanceId),
    servedCredits(credits),
    servedTaskCredits(taskCredits),
    servedJobLimits(jobLimits),
    ...(deployments === undefined ? [] : [servedDeployments(deployments), servedCatalogues(deployments.catalogues)]),
  ];
}
