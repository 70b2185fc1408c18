import { JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import type { QueryConfig } from 'pg';
import { ByteArena, callOf, plainArray } from '../group-commit/byte-arena.js';
import { countersOf } from '../group-commit/queue-counters.js';
import type { JobsSettings } from '../jobs-settings.js';

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

export function submissionStatement(items: readonly SubmissionItem[], settings: JobsSettings): QueryConfig {
  const arena = new ByteArena();
  const starts = items.map((item) => {
    const slice = arena.add(item.hash);
    arena.add(item.event);
    arena.add(item.workflow);
    return slice.at;
  });
  const counters = countersOf(items);
  const values = [
    `${settings.batchLockTimeoutMs}ms`,
    WORKFLOW_PURGE_LOCK,
    settings.keyLifeMs,
    settings.queueDepthAccount,
    settings.queueDepth,
    JOB_EVENT_SCHEMA_VERSION,
    settings.retentionMs,
    settings.maxQueueWaitMs,
    plainArray(counters.deploymentIds),
    plainArray(counters.accountIds),
    plainArray(counters.accounts),
    plainArray(counters.deployments),
    plainArray(items.map((item) => item.jobId)),
    plainArray(items.map((item) => item.eventId)),
    items.map((item) => item.key),
    items.map((item) => item.metadata),
    items.map((item) => item.labels),
    items.map((item) => item.correlation),
    items.map((item) => item.traceparent),
    plainArray(starts),
    plainArray(items.map((item) => item.event.length)),
    plainArray(items.map((item) => item.workflow.length)),
    arena.bytes(),
  ];
  return { name: 'submit-jobs', text: callOf('jobs.submit_jobs', values.length), values };
}
