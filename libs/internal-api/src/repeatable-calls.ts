import type { CalledMethod } from '@heddle/platform-service-calls/call';
import { AssetsServiceService } from './generated/heddle/assets/v1/assets.js';
import { ModerationServiceService } from './generated/heddle/assets/v1/moderation.js';
import { CataloguesServiceService } from './generated/heddle/deployments/v1/catalogues.js';
import { DeploymentsServiceService } from './generated/heddle/deployments/v1/deployments.js';
import { StorageServiceService } from './generated/heddle/assets/v1/storage.js';
import { JobsServiceService } from './generated/heddle/jobs/v1/jobs.js';
import { CreditsServiceService } from './generated/heddle/jobs/v1/credits.js';
import { TaskCreditsServiceService } from './generated/heddle/jobs/v1/task_credits.js';
import { JobLimitsServiceService } from './generated/heddle/jobs/v1/limits.js';
import { JobLogServiceService } from './generated/heddle/jobs/v1/job_log.js';
import { LeaseAuthorityServiceService } from './generated/heddle/jobs/v1/lease_authority.js';
import { PeersServiceService } from './generated/heddle/peers/v1/peers.js';
import { LogsServiceService } from './generated/heddle/logs/v1/logs.js';
import { NodePackagesServiceService } from './generated/heddle/registry/v1/node_packages.js';
import { RegistryAdminServiceService } from './generated/heddle/registry/v1/registry_admin.js';
import { ValidationServiceService } from './generated/heddle/validation/v1/validation.js';

/** Idempotent calls: a channel retries them by itself. */
export const REPEATABLE_CALLS: readonly CalledMethod[] = [
  AssetsServiceService.canMint,
  AssetsServiceService.get,
  AssetsServiceService.content,
  AssetsServiceService.stored,
  AssetsServiceService.missing,
  AssetsServiceService.hold,
  AssetsServiceService.nearNames,
  AssetsServiceService.releaseHolds,
  ...Object.values(ModerationServiceService),
  ...Object.values(StorageServiceService),
  // A submission is idempotent by its job id, which the gateway assigns.
  ...Object.values(JobsServiceService),
  // A grant or a withdrawal that is sent twice would count twice.
  CreditsServiceService.show,
  CreditsServiceService.balances,
  CreditsServiceService.ledger,
  CreditsServiceService.prices,
  CreditsServiceService.setPrice,
  CreditsServiceService.check,
  // The ledger has each of them at most once a task.
  ...Object.values(TaskCreditsServiceService),
  // The second of two equal commands would be refused, or pin an environment twice.
  DeploymentsServiceService.list,
  DeploymentsServiceService.show,
  DeploymentsServiceService.set,
  DeploymentsServiceService.idOf,
  DeploymentsServiceService.changes,
  ...Object.values(JobLimitsServiceService),
  ...Object.values(CataloguesServiceService),
  ...Object.values(LeaseAuthorityServiceService),
  ...Object.values(JobLogServiceService),
  ...Object.values(LogsServiceService),
  ...Object.values(NodePackagesServiceService),
  // The second of two equal reviews or lists of classes would be refused.
  RegistryAdminServiceService.ban,
  RegistryAdminServiceService.unban,
  RegistryAdminServiceService.rescan,
  RegistryAdminServiceService.setRanks,
  RegistryAdminServiceService.release,
  RegistryAdminServiceService.queue,
  RegistryAdminServiceService.events,
  PeersServiceService.takeCredentials,
  PeersServiceService.keepCredentials,
  ...Object.values(ValidationServiceService),
];
