export { backoffMs } from './backoff.js';
export { BLOB_HASH, BLOB_HASH_RULE } from './blob-hash-form.js';
export { isUuid, newUuid, NIL_UUID } from './ids.js';
export type { AccountId, AssetId, DeploymentId, JobId, TaskId } from './ids.js';
export { SELF_HOSTED_PRINCIPAL } from './principal.js';
export type { Principal } from './principal.js';
export {
  DEFAULT_DEPLOYMENT,
  defaultPoolOf,
  servesEveryHost,
  MANAGED_DEPLOYMENT_ID,
  SELF_HOSTED_POOL,
  surfaceOf,
  SURFACES,
} from './surface.js';
export type { Surface, SurfaceCapabilities } from './surface.js';
export { ACCOUNTS_PORT, KEY_CHECK, MAX_LIST_PART } from './accounts.port.js';
export type {
  AccountLimits,
  AccountsPort,
  AccountView,
  IssuedKey,
  KeyCheck,
  KeyHolder,
  KeyRequest,
  KeyView,
  LimitChanges,
  ListPart,
} from './accounts.port.js';
export { ACCOUNT_USE_PORT, MAX_SETTLED_ACCOUNTS } from './account-use.port.js';
export type { AccountStanding, AccountUsePort, ReportedUse, SettledUse } from './account-use.port.js';
export { Secret } from './secret.js';
export type { PartnerCredentials } from './secret.js';
export { accepted, invalidFields, notFound, refuse, rejected } from './answer.js';
export type { Answer, Rejection } from './answer.js';
export { isEndedStatus } from './job-view.js';
export type {
  JobError,
  JobErrorCode,
  JobOutput,
  JobProgress,
  JobStatus,
  JobSummary,
  JobView,
  OutputType,
} from './job-view.js';
export { JOBS_PORT } from './jobs.port.js';
export type {
  JobInput,
  JobListQuery,
  JobPage,
  JobsPort,
  JobSubmission,
  SubmissionAnswer,
  SubmissionRefusalReason,
} from './jobs.port.js';
export {
  CREDITS_PORT,
  MAX_ASKED_CREDITS,
  MAX_CREDIT_CHANGE,
  MAX_CREDIT_NOTE,
  MAX_GRANTED,
  MAX_LEDGER_PART,
  MAX_PRICE_PER_JOB,
  MAX_PRICE_PER_SECOND,
  NO_CREDITS,
  priceIn,
} from './credits.port.js';
export type {
  AccountCredits,
  CreditChange,
  CreditCheck,
  CreditsPort,
  DeploymentPrice,
  LedgerEntry,
  LedgerEntryKind,
  LedgerPart,
} from './credits.port.js';
export { MAX_TASK_CREDITS, TASK_CREDITS_PORT } from './task-credits.port.js';
export type {
  ReserveOutcome,
  SettleOutcome,
  TaskCreditsPort,
  TaskReservation,
  TaskSettlement,
} from './task-credits.port.js';
export { JOB_LIMITS_PORT, MAX_ASKED_USAGE } from './job-limits.port.js';
export type { AccountJobLimits, JobLimitsPort, OpenJobsOfAccount } from './job-limits.port.js';
export { STORAGE_PORT } from './storage.port.js';
export type { StoragePort } from './storage.port.js';
export { MAX_JOB_OUTPUTS, poolKey, WORK_PORT } from './work.port.js';
export { MAX_FENCE, MAX_WORKER_ID } from './lease.js';
export type { JobLease, LeaseKey, LeaseState, WorkerLease } from './lease.js';
export type {
  ReportRefusal,
  ReportVerdict,
  ServedWorkPort,
  WorkerIdentity,
  WorkerPool,
  WorkListener,
  WorkPort,
  WorkSession,
} from './work.port.js';
export { JOB_LOG_PORT, MAX_ASKED_ENDS, MAX_ASKED_JOBS, MAX_PAGE_MESSAGES } from './job-log.port.js';
export type { JobHoldings, JobLogPort, JobMessagePage } from './job-log.port.js';
export { holderOfOwn, LEASE_AUTHORITY_PORT, LeaseRefusedError } from './lease-authority.port.js';
export type { LeaseAuthorityPort, LeaseHolder } from './lease-authority.port.js';
export { WORKER_EVENTS_TOPIC } from './worker-reports.js';
export { MAX_REPORT_TEXT } from './worker-reports.js';
export type {
  DurableReport,
  ProgressReported,
  VolatileReport,
  WorkerEvent,
  WorkerOutcome,
  WorkerReport,
} from './worker-reports.js';
export { JOB_EVENTS_TOPIC } from './job-messages.js';
export type { JobMessage, LiveItem } from './job-messages.js';
export { REGISTRY_EVENTS_TOPIC } from './registry-messages.js';
export type { RegistryMessage } from './registry-messages.js';
export { ASSET_EVENTS_TOPIC } from './asset-messages.js';
export type { AssetMessage } from './asset-messages.js';
export {
  ASSETS_PORT,
  INPUT_BLOCKED,
  InputBlockedError,
  MAX_OUTPUT_CONTENT_TYPE,
  MAX_OUTPUT_NAME,
  WORKER_ASSETS_PORT,
} from './assets.port.js';
export type {
  AssetsPort,
  AssetView,
  CommittedOutput,
  ContentRange,
  MintedAsset,
  MintRequest,
  OutputUpload,
  SignedUrl,
  StoredContent,
  UploadRequest,
  WantedAssets,
  WorkerAssetsPort,
} from './assets.port.js';
export { MODERATION_PORT } from './moderation.port.js';
export { PROXY_ADMIN_PORT } from './proxy-admin.port.js';
export type { DeadDeliveriesPart, DeadDelivery, ProxyAdminPort, RedeliveredTask } from './proxy-admin.port.js';
export { REGISTRY_ADMIN_PORT } from './registry-admin.port.js';
export type {
  NodeRankChanges,
  PostedClasses,
  RegistryAdminPort,
  RegistryEventView,
  RegistryQueueEntry,
  RegistryTarget,
  RegistryVerdict,
  VersionName,
} from './registry-admin.port.js';
export type { HashVerdict, ModerationDecision, ModerationPort, VerdictSource } from './moderation.port.js';
export { cutLogText, LOG_BYTES, LOGGED_ENDS, loggedEndOf, LOGS_PORT } from './logs.port.js';
export type { CapturedLog, CaptureVerdict, JobLog, LoggedAttempt, LoggedEnd, LogsPort } from './logs.port.js';
export {
  CATALOGUES_PORT,
  DEPLOYMENT_DIRECTORY,
  DEPLOYMENT_FEED,
  DEPLOYMENT_REFUSAL_CODES,
  DEPLOYMENT_VERBS,
  DEPLOYMENTS_PORT,
  MAX_ENVIRONMENT_PACKAGES,
  MAX_FEED_WAIT_MS,
  nameText,
  refuseChange,
} from './deployments.port.js';
export type {
  CataloguesPort,
  DeploymentAnswer,
  DeploymentDirectory,
  DeploymentFeed,
  DeploymentLimits,
  DeploymentName,
  GivenOptions,
  DeploymentProvider,
  DeploymentRefusal,
  DeploymentRefusalKind,
  DeploymentsPort,
  DeploymentStage,
  DeploymentStatus,
  DeploymentVerb,
  DeploymentView,
  DirectoryChanges,
  DirectoryEntry,
  EnvironmentSpec,
  NewDeployment,
  PinnedCatalogue,
  PinnedEnvironment,
} from './deployments.port.js';
export { WORKER_POOLS_PORT } from './worker-pools.port.js';
export type {
  Intake,
  LateLease,
  LimitedDeployment,
  OpenJobs,
  PolledPool,
  WorkerPoolsPort,
} from './worker-pools.port.js';
export { VALIDATION_PORT } from './validation.port.js';
export type { CheckedSubmission, SubmissionVerdict, UnknownFile, ValidationPort } from './validation.port.js';
export { graphRejection, MAX_EXPLAINED_CAUSES, unknownFilesRejection } from './graph-rejection.js';
export { MAX_ASKED_CLASSES, NODE_PACKAGES_PORT } from './node-packages.port.js';
export type { NodePackage, NodePackagesPort, PackageClass, PackageClasses } from './node-packages.port.js';
export { MAX_HINTS, PEERS_PORT } from './peers.port.js';
export type { HeldCredentials, PeerHints, PeersPort, WaitingJob, WorkerLeaseState } from './peers.port.js';
