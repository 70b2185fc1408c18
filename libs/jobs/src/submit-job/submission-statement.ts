import { JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import type { QueryConfig } from 'pg';
import { ByteArena, plainArray } from '../group-commit/byte-arena.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';
import type { JobsSettings } from '../jobs-settings.js';
import { loneSubmissionSql } from './lone-submission.sql.js';
import { submissionSql } from './submission.sql.js';

export interface SubmissionItem {
  readonly jobId: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly deploymentId: string;
  readonly key: string | null;
  /** JSON text. */
  readonly metadata: string;
  /** Pairs as key=value, joined by U+001F; null where there are none. */
  readonly labels: string | null;
  readonly correlation: string;
  /** W3C trace context, or null. */
  readonly traceparent: string | null;
  /** BLAKE3 of the workflow, 32 bytes. */
  readonly hash: Buffer;
  readonly event: Buffer;
  readonly workflow: Buffer;
}

/** Held shared by submissions and exclusively by the purge of workflows. */
export const WORKFLOW_PURGE_LOCK = 7_236_201;

export function loneStatement(item: SubmissionItem, settings: JobsSettings): QueryConfig {
  return {
    name: 'submit-job',
    text: loneSubmissionSql,
    values: [
      `${settings.batchLockTimeoutMs}ms`,
      WORKFLOW_PURGE_LOCK,
      settings.keyLifeMs,
      item.jobId,
      item.eventId,
      item.accountId,
      item.deploymentId,
      item.key,
      item.metadata,
      item.labels,
      item.correlation,
      item.hash,
      item.event,
      item.workflow,
      settings.queueDepthAccount,
      settings.queueDepth,
      JOB_EVENT_SCHEMA_VERSION,
      settings.retentionMs,
      settings.maxQueueWaitMs,
    ],
  };
}

export function batchStatement(items: readonly SubmissionItem[], settings: JobsSettings): QueryConfig {
  const arena = new ByteArena();
  const at = items.map((item) => {
    const slice = arena.add(item.hash);
    arena.add(item.event);
    arena.add(item.workflow);
    return slice.at;
  });
  return {
    name: 'submit-jobs',
    text: submissionSql,
    values: [
      `${settings.batchLockTimeoutMs}ms`,
      WORKFLOW_PURGE_LOCK,
      settings.keyLifeMs,
      plainArray(items.map((item) => item.jobId)),
      plainArray(items.map((item) => item.eventId)),
      plainArray(items.map((item) => item.accountId)),
      plainArray(items.map((item) => item.deploymentId)),
      items.map((item) => item.key),
      items.map((item) => item.metadata),
      items.map((item) => item.labels),
      items.map((item) => item.correlation),
      plainArray(at),
      plainArray(items.map((item) => item.event.length)),
      plainArray(items.map((item) => item.workflow.length)),
      settings.queueDepthAccount,
      settings.queueDepth,
      arena.bytes(),
      JOB_EVENT_SCHEMA_VERSION,
      settings.retentionMs,
      settings.maxQueueWaitMs,
      plainArray([...new Set(items.map((item) => item.deploymentId))]),
      plainArray([...new Set(items.map((item) => item.accountId)), WHOLE_DEPLOYMENT]),
      items.map((item) => item.traceparent),
    ],
  };
}
