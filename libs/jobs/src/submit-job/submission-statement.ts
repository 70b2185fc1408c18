import { JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import type { QueryConfig } from 'pg';
import type { CommitItem } from '../commit-job-events/change-plan.js';
import { LEASED_JOB_IDS, leaseValues } from '../commit-job-events/statement-calls.js';
import { ByteArena, callOf, placeholders, plainArray } from '../group-commit/byte-arena.js';
import { countersOf } from '../group-commit/queue-counters.js';
import type { JobsSettings } from '../settings.js';

export interface SubmissionItem {
  readonly jobId: JobId;
  readonly eventId: string;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  readonly key: string | null;
  /** JSON text. */
  readonly metadata: string;
  /** Pairs as key=value, joined by U+001F; null if there are none. */
  readonly labels: string | null;
  readonly correlation: string;
  /** W3C trace context, or null. */
  readonly traceparent: string | null;
  /** BLAKE3 of the workflow, 32 bytes. */
  readonly hash: Buffer;
  readonly event: Buffer;
  readonly workflow: Buffer;
  /** Its lease by a waiting worker, to be committed with it; null if no worker waits. */
  readonly lease: CommitItem | null;
}

/** Held shared by submissions; a purger of the previous build holds it exclusively. */
const WORKFLOW_PURGE_LOCK = 7_236_201;

export function submissionStatement(items: readonly SubmissionItem[], settings: JobsSettings): QueryConfig {
  const values = submissionValues(items, settings);
  const at = items.findIndex(({ lease }) => lease !== null);
  const lease = items[at]?.lease ?? null;
  if (lease === null) return { name: 'submit-jobs', text: callOf('jobs.submit_jobs', values.length), values };
  return withLease(values, leaseValues([lease], settings), at + 1);
}

/** Leases one job in the transaction of its submission, if no job of its deployment waits before it. */
function withLease(submission: unknown[], lease: unknown[], item: number): QueryConfig {
  combinedText ??= textOf(submission.length, lease.length);
  return { name: 'submit-and-lease', text: combinedText, values: [...submission, ...lease, item] };
}

/** The number of parameters never changes, so the text is built once. */
let combinedText: string | undefined;

function textOf(submission: number, lease: number): string {
  const own = placeholders(submission + 1, lease);
  const place = `$${submission + lease + 1}::int`;
  const jobIds = own[LEASED_JOB_IDS]!;
  own[LEASED_JOB_IDS] =
    `case when s.verdicts[${place}] = 'created' and s.deployment_waiting[${place}] = 0 then ${jobIds}::uuid[] else '{}' end`;
  return `select s.*, l.committed[1] as leased, l.now_ms as leased_ms
    from jobs.submit_jobs(${placeholders(1, submission).join(', ')}) s, jobs.lease_jobs(${own.join(', ')}) l`;
}

function submissionValues(items: readonly SubmissionItem[], settings: JobsSettings): unknown[] {
  const arena = new ByteArena();
  const starts = items.map((item) => {
    const slice = arena.add(item.hash);
    arena.add(item.event);
    arena.add(item.workflow);
    return slice.at;
  });
  const counters = countersOf(items);
  return [
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
}
