import { encodeJobEvent, JOB_EVENT_SCHEMA_VERSION, schemaVersionOfJobEvent } from '@heddle/jobs-domain';
import { SURFACES, surfaceOf } from '@heddle/contracts-messages';
import type { QueryConfig } from 'pg';
import { ByteArena, plainArray } from '../group-commit/byte-arena.js';
import { argumentList } from '../group-commit/function-call.js';
import type { NamedArguments } from '../group-commit/function-call.js';
import { countersOf } from '../group-commit/queue-counters.js';
import type { JobsSettings } from '../settings.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import { queueChangeOf, queueStepOf, retryDelayMs, shown } from './change-plan.js';
import type { CommitItem } from './change-plan.js';
import { eventColumns, outputColumns } from './statement-columns.js';
import { withEnds } from './with-ends.js';

/** Every change other than a lease. `items` are in the order in which their queue rows are locked. */
export function changesCall(items: readonly CommitItem[], settings: JobsSettings): QueryConfig {
  const arena = new ByteArena();
  const args = {
    cancel_ms: settings.cancelGraceMs,
    ...versionColumn(items),
    ...counterColumns(items),
    ...changeColumns(items, settings),
    ...eventColumns(items, arena),
    ...outputColumns(items, arena),
    bytes: arena.bytes(),
  };
  return withEnds(items, args);
}

/** `items` are in the order in which their queue rows are locked. */
export function leasesCall(items: readonly CommitItem[], settings: JobsSettings): QueryConfig {
  const leases = leasesOf(items, settings);
  const { text, values } = leaseCall(leases);
  if (leases.room === null) return { name: 'lease-jobs', text: `select l.* from ${text}`, values };
  return { name: 'lease-within-limits', text: `select l.*, r.allowed from ${text}`, values };
}

/** Arguments of jobs.lease_jobs, and of jobs.room_to_run if a deployment has limits of accounts. */
export interface PlannedLeases {
  readonly leases: NamedArguments;
  readonly room: NamedArguments | null;
}

export function leasesOf(items: readonly CommitItem[], settings: JobsSettings): PlannedLeases {
  const leases = leaseArguments(items, settings);
  if (items.every(({ deploymentId }) => !SURFACES[surfaceOf(deploymentId)].credits)) return { leases, room: null };
  const room = {
    lease_accounts: plainArray(items.map(({ accountId }) => accountId)),
    lease_deployments: plainArray(items.map(({ deploymentId }) => deploymentId)),
    lease_jobs: leases['job_ids'],
    planned_runtimes_ms: leases['runtimes_ms'],
    runtime_ms: settings.maxRuntimeMs,
  };
  return { leases, room };
}

/**
 * The functions `l`, which leases, and `r`, which says what may be leased, with placeholders from `$from` on. A job that
 * may not be leased is null in the list of jobs, and no row has that id. `chosen` may restrict the jobs.
 */
export function leaseCall(
  { leases, room }: PlannedLeases,
  from = 1,
  chosen: (jobs: string) => string = (jobs) => jobs,
): { readonly text: string; readonly values: unknown[] } {
  if (room === null) {
    const list = argumentList(leases, from, (name, placeholder) =>
      name === 'job_ids' ? chosen(placeholder) : placeholder,
    );
    return { text: `jobs.lease_jobs(${list}) l`, values: Object.values(leases) };
  }
  const { job_ids: _, ...others } = leases;
  const asked = argumentList(room, from, (name, placeholder) =>
    name === 'lease_jobs' ? chosen(placeholder) : placeholder,
  );
  const list = argumentList(others, from + Object.keys(room).length);
  const text = `jobs.room_to_run(${asked}) r, jobs.lease_jobs(${list}, job_ids => r.allowed) l`;
  return { text, values: [...Object.values(room), ...Object.values(others)] };
}

/** Arguments of jobs.lease_jobs: one event each. */
function leaseArguments(items: readonly CommitItem[], settings: JobsSettings): NamedArguments {
  const arena = new ByteArena();
  const rows = items.map(({ jobId, plan }) => {
    const [event, ...more] = plan.events;
    const { after } = plan;
    if (event === undefined || more.length > 0 || after.status !== 'running') {
      throw new Error(`a lease is one event, and job ${jobId} would get ${plan.events.length}`);
    }
    return {
      jobId,
      event,
      before: plan.before,
      after,
      slice: arena.add(Buffer.from(encodeJobEvent(event.event))),
    };
  });
  return {
    lease_ms: settings.leaseMs,
    schema_version: JOB_EVENT_SCHEMA_VERSION,
    ...counterColumns(items),
    job_ids: plainArray(rows.map(({ jobId }) => jobId)),
    expected: plainArray(rows.map(({ before }) => versionOf(before))),
    next_versions: plainArray(rows.map(({ event }) => event.version)),
    fences: plainArray(rows.map(({ event }) => event.fence)),
    workers: rows.map(({ after }) => after.lease.workerId),
    runtimes_ms: plainArray(rows.map(({ after }) => after.lease.maxRuntimeMs)),
    correlations: rows.map(({ event }) => event.correlation),
    traceparents: rows.map(({ after }) => after.facts.submission.traceparent),
    event_ids: plainArray(rows.map(({ event }) => event.eventId)),
    types: plainArray(rows.map(({ event }) => event.event.type)),
    statuses: plainArray(rows.map(({ event }) => event.status)),
    starts: plainArray(rows.map(({ slice }) => slice.at)),
    lengths: plainArray(rows.map(({ slice }) => slice.length)),
    bytes: arena.bytes(),
  };
}

/** Nearly all events have the first schema version: one number for all, instead of an array. */
function versionColumn(items: readonly CommitItem[]): NamedArguments {
  const versions = items.flatMap(({ plan }) => plan.events.map(({ event }) => schemaVersionOfJobEvent(event)));
  return versions.every((version) => version === JOB_EVENT_SCHEMA_VERSION)
    ? { schema_version: JOB_EVENT_SCHEMA_VERSION }
    : { schema_versions: plainArray(versions) };
}

/** Deployments and accounts of the counters; per item the index of its account's counter and of its deployment's. */
function counterColumns(items: readonly CommitItem[]): NamedArguments {
  const { deploymentIds, accountIds, accounts, deployments } = countersOf(items);
  return {
    counter_deployments: plainArray(deploymentIds),
    counter_accounts: plainArray(accountIds),
    account_counters: plainArray(accounts),
    deployment_counters: plainArray(deployments),
  };
}

function changeColumns(items: readonly CommitItem[], settings: JobsSettings): NamedArguments {
  const rows = items.map(({ jobId, plan }) => {
    const after = shown(plan.after);
    const before = shown(plan.before);
    return {
      jobId,
      plan,
      after,
      change: queueChangeOf(plan),
      progress: after.facts.progress === before.facts.progress ? null : after.facts.progress,
    };
  });
  const eventsBefore = runningTotals(items.map(({ plan }) => plan.events.length));
  return {
    job_ids: plainArray(rows.map((row) => row.jobId)),
    expected: plainArray(rows.map((row) => versionOf(row.plan.before))),
    statuses: plainArray(rows.map((row) => row.after.status)),
    next_versions: plainArray(rows.map((row) => row.after.facts.version)),
    fences: plainArray(rows.map((row) => row.after.facts.fence)),
    progresses: rows.map((row) => (row.progress === null ? null : JSON.stringify(row.progress))),
    errors: rows.map((row) => (row.after.status === 'failed' ? JSON.stringify(row.after.error) : null)),
    changes: plainArray(rows.map((row) => row.change)),
    waits_ms: plainArray(rows.map((row) => row.after.facts.submission.maxQueueWaitMs)),
    delays_ms: plainArray(rows.map((row) => retryDelayMs(row.plan, settings))),
    correlations: rows.map((row) => row.plan.events[0]?.correlation ?? null),
    traceparents: rows.map((row) => row.after.facts.submission.traceparent),
    waiting_steps: plainArray(rows.map((row) => queueStepOf(row.plan).waiting)),
    running_steps: plainArray(rows.map((row) => queueStepOf(row.plan).running)),
    first_events: plainArray(rows.map((_, index) => eventsBefore[index]! + 1)),
    last_events: plainArray(rows.map((row, index) => eventsBefore[index]! + row.plan.events.length)),
  };
}

function runningTotals(lengths: readonly number[]): readonly number[] {
  let total = 0;
  return lengths.map((length) => (total += length) - length);
}
