import { JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import type { QueryConfig } from 'pg';
import type { CommitItem } from '../commit-job-events/change-plan.js';
import { leaseCall, leasesOf } from '../commit-job-events/statement-calls.js';
import type { PlannedLeases } from '../commit-job-events/statement-calls.js';
import { ByteArena, plainArray } from '../group-commit/byte-arena.js';
import { argumentList, callOf } from '../group-commit/function-call.js';
import type { NamedArguments } from '../group-commit/function-call.js';
import { countersOf } from '../group-commit/queue-counters.js';
import type { JobsSettings } from '../settings.js';
import { sealedArguments } from '../seal-credentials/sealed-arguments.js';
import type { SealedCredentials } from '../seal-credentials/sealed-credentials.js';
import { pricedArguments } from './priced-arguments.js';
import type { SubmissionTerms } from './priced-arguments.js';

export interface SubmissionItem {
  readonly jobId: JobId;
  readonly eventId: string;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  /** Of the environment that the workflow was validated against; 0 where there is none. */
  readonly revision: number;
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
  /** What it costs; null on a surface without credits. */
  readonly terms: SubmissionTerms | null;
  /** Its lease by a waiting worker, to be committed with it; null if no worker waits. */
  readonly lease: CommitItem | null;
  /** The row of its partner credentials; null if it has none, or none that are stored. */
  readonly sealed: SealedCredentials | null;
}

/** Until the build after 0a96e1f: held shared by submissions, because purgers of builds before it hold it exclusively. */
const WORKFLOW_PURGE_LOCK = 7_236_201;

export function submissionStatement(items: readonly SubmissionItem[], settings: JobsSettings): QueryConfig {
  const isPriced = items.some(({ terms }) => terms !== null);
  const name = isPriced ? 'submit_priced_jobs' : 'submit_jobs';
  const shared = submissionArguments(items, settings);
  const submission = isPriced
    ? { ...shared, ...pricedArguments(items, settings) }
    : { ...shared, schema_version: JOB_EVENT_SCHEMA_VERSION };
  const lease = leaseOf(items, settings);
  const sealed = sealedArguments(items);
  if (lease === null && sealed === null)
    return { name: name.replaceAll('_', '-'), ...callOf(`jobs.${name}`, submission) };
  const statement = { columns: 's.*', calls: [`jobs.${name}(${argumentList(submission)}) s`], name };
  const values = Object.values(submission);
  if (lease !== null) {
    values.push(lease.at + 1);
    statement.name += '_and_lease';
    statement.columns += ', l.committed[1] as leased, l.now_ms as leased_ms';
    const call = leaseIfNext(lease.planned, values.length);
    statement.calls.push(call.text);
    values.push(...call.values);
  }
  if (sealed !== null) {
    statement.name += '_and_seal';
    statement.calls.push(`jobs.keep_sealed(verdicts => s.verdicts, ${argumentList(sealed, values.length + 1)}) k`);
    values.push(...Object.values(sealed));
  }
  const text = `select ${statement.columns} from ${statement.calls.join(', ')}`;
  return { name: statement.name.replaceAll('_', '-'), text, values };
}

/** The one lease of a batch, and which item has it; null if none has. */
function leaseOf(items: readonly SubmissionItem[], settings: JobsSettings) {
  const at = items.findIndex(({ lease }) => lease !== null);
  const lease = items[at]?.lease ?? null;
  return lease === null ? null : { at, planned: leasesOf([lease], settings) };
}

/** Leases one job in the transaction of its submission, if no job of its deployment waits before it. `item`: place of its index. */
function leaseIfNext(planned: PlannedLeases, item: number) {
  const nth = `$${item}::int`;
  const isNext = `s.verdicts[${nth}] = 'created' and s.deployment_waiting[${nth}] = 0`;
  return leaseCall(planned, item + 1, (jobs) => `case when ${isNext} then ${jobs}::uuid[] else '{}' end`);
}

function submissionArguments(items: readonly SubmissionItem[], settings: JobsSettings): NamedArguments {
  const arena = new ByteArena();
  const starts = items.map((item) => {
    const slice = arena.add(item.hash);
    arena.add(item.event);
    arena.add(item.workflow);
    return slice.at;
  });
  const counters = countersOf(items);
  return {
    lock_wait: `${settings.batchLockTimeoutMs}ms`,
    purge_guard: WORKFLOW_PURGE_LOCK,
    key_life_ms: settings.keyLifeMs,
    account_room: settings.queueDepthAccount,
    deployment_room: settings.queueDepth,
    retention_ms: settings.retentionMs,
    wait_ms: settings.maxQueueWaitMs,
    counter_deployments: plainArray(counters.deploymentIds),
    counter_accounts: plainArray(counters.accountIds),
    account_counters: plainArray(counters.accounts),
    deployment_counters: plainArray(counters.deployments),
    job_ids: plainArray(items.map((item) => item.jobId)),
    event_ids: plainArray(items.map((item) => item.eventId)),
    claims: items.map((item) => item.key),
    metadatas: items.map((item) => item.metadata),
    label_lists: items.map((item) => item.labels),
    correlations: items.map((item) => item.correlation),
    traceparents: items.map((item) => item.traceparent),
    starts: plainArray(starts),
    data_lengths: plainArray(items.map((item) => item.event.length)),
    workflow_lengths: plainArray(items.map((item) => item.workflow.length)),
    bytes: arena.bytes(),
  };
}
