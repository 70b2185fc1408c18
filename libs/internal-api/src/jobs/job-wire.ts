import type {
  AccountId,
  AssetId,
  DeploymentId,
  JobError,
  JobErrorCode,
  JobId,
  JobOutput,
  JobPage,
  JobStatus,
  JobSummary,
  JobView,
  OutputType,
} from '@heddle/contracts-messages';
import { labelMessages, labelsOf } from '../encode-values/labels.js';
import { progressMessage, progressOf } from '../encode-values/progress.js';
import { JobStatus as StatusMessage } from '../generated/heddle/jobs/v1/jobs.js';
import type {
  Job,
  JobError as ErrorMessage,
  JobPage as PageMessage,
  JobSummary as SummaryMessage,
} from '../generated/heddle/jobs/v1/jobs.js';

const STATUSES: Readonly<Record<JobStatus, StatusMessage>> = {
  queued: StatusMessage.JOB_STATUS_QUEUED,
  running: StatusMessage.JOB_STATUS_RUNNING,
  succeeded: StatusMessage.JOB_STATUS_SUCCEEDED,
  canceling: StatusMessage.JOB_STATUS_CANCELING,
  canceled: StatusMessage.JOB_STATUS_CANCELED,
  failed: StatusMessage.JOB_STATUS_FAILED,
  expired: StatusMessage.JOB_STATUS_EXPIRED,
};
const BY_MESSAGE = new Map((Object.keys(STATUSES) as JobStatus[]).map((status) => [STATUSES[status], status]));

export function statusMessage(status: JobStatus): StatusMessage {
  return STATUSES[status];
}

/** Undefined if this version does not know the status. */
export function statusOf(message: StatusMessage): JobStatus | undefined {
  return BY_MESSAGE.get(message);
}

export function jobMessage({ progress, outputs, error, ...summary }: JobView): Job {
  return {
    summary: summaryMessage(summary),
    progress: progress === null ? undefined : progressMessage(progress),
    outputs: outputs.map((output) => ({ ...output })),
    error: error === null ? undefined : jobErrorMessage(error),
  };
}

export function jobOf({ summary, progress, outputs, error }: Job): JobView {
  if (summary === undefined) throw new Error('the jobs service answered with a job that has no summary');
  return {
    ...summaryOf(summary),
    progress: progress === undefined ? null : progressOf(progress),
    outputs: outputs.map(({ type, assetId, ...output }): JobOutput => ({
      ...output,
      type: type as OutputType,
      assetId: assetId as AssetId,
    })),
    error: error === undefined ? null : errorOf(error),
  };
}

export function pageMessage({ jobs, nextCursor }: JobPage): PageMessage {
  return { jobs: jobs.map(summaryMessage), nextCursor: nextCursor ?? undefined };
}

export function pageOf({ jobs, nextCursor }: PageMessage): JobPage {
  return { jobs: jobs.map(summaryOf), nextCursor: nextCursor ?? null };
}

function summaryMessage(summary: JobSummary): SummaryMessage {
  const { status, metadata, startedAt, completedAt, queuePosition, queueMs, executionMs, ...rest } = summary;
  return {
    ...rest,
    status: statusMessage(status),
    metadata: labelMessages(metadata),
    startedAt: startedAt ?? undefined,
    completedAt: completedAt ?? undefined,
    queuePosition: queuePosition ?? undefined,
    queueMs: queueMs ?? undefined,
    executionMs: executionMs ?? undefined,
  };
}

function summaryOf(message: SummaryMessage): JobSummary {
  const { id, accountId, deploymentId, status: sent, metadata, ...rest } = message;
  const status = statusOf(sent);
  if (status === undefined) throw new Error(`the jobs service answered with an unknown status of a job: ${sent}`);
  return {
    ...rest,
    id: id as JobId,
    accountId: accountId as AccountId,
    deploymentId: deploymentId as DeploymentId,
    status,
    metadata: labelsOf(metadata),
    startedAt: rest.startedAt ?? null,
    completedAt: rest.completedAt ?? null,
    queuePosition: rest.queuePosition ?? null,
    queueMs: rest.queueMs ?? null,
    executionMs: rest.executionMs ?? null,
  };
}

function jobErrorMessage({ nodeId, classType, traceback, ...error }: JobError): ErrorMessage {
  return {
    ...error,
    nodeId: nodeId ?? undefined,
    classType: classType ?? undefined,
    traceback: traceback ?? undefined,
  };
}

function errorOf({ code, nodeId, classType, traceback, message }: ErrorMessage): JobError {
  return {
    code: code as JobErrorCode,
    message,
    nodeId: nodeId ?? null,
    classType: classType ?? null,
    traceback: traceback ?? null,
  };
}
