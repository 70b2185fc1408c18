import { encodeJobEvent, JOB_EVENT_SCHEMA_VERSION } from '@heddle/jobs-domain';
import type { QueryConfig } from 'pg';
import { ByteArena, callOf, plainArray } from '../group-commit/byte-arena.js';
import { countersOf } from '../group-commit/queue-counters.js';
import type { JobsSettings } from '../settings.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import { queueChangeOf, queueStepOf, retryDelayMs, shown } from './change-plan.js';
import type { CommitItem } from './change-plan.js';
import { eventColumns, outputColumns } from './statement-columns.js';

/** Every change other than a lease. `items` are in the order in which their queue rows are locked. */
export function changesCall(items: readonly CommitItem[], settings: JobsSettings): QueryConfig {
  const arena = new ByteArena();
  const columns = [
    ...counterColumns(items),
    ...changeColumns(items, settings),
    ...eventColumns(items, arena),
    ...outputColumns(items, arena),
  ];
  const values = [settings.cancelGraceMs, JOB_EVENT_SCHEMA_VERSION, arena.bytes(), ...columns];
  return { name: 'commit-changes', text: callOf('jobs.commit_changes', values.length), values };
}

/** `items` are in the order in which their queue rows are locked. */
export function leasesCall(items: readonly CommitItem[], settings: JobsSettings): QueryConfig {
  const values = leaseValues(items, settings);
  return { name: 'lease-jobs', text: callOf('jobs.lease_jobs', values.length), values };
}

/** Index of `job_ids` among the parameters of jobs.lease_jobs. */
export const LEASED_JOB_IDS = 7;

/** Parameters of jobs.lease_jobs: one event each. */
export function leaseValues(items: readonly CommitItem[], settings: JobsSettings): unknown[] {
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
  const columns = [
    ...counterColumns(items),
    plainArray(rows.map(({ jobId }) => jobId)),
    plainArray(rows.map(({ before }) => versionOf(before))),
    plainArray(rows.map(({ event }) => event.version)),
    plainArray(rows.map(({ event }) => event.fence)),
    rows.map(({ after }) => after.lease.workerId),
    plainArray(rows.map(({ after }) => after.lease.maxRuntimeMs)),
    rows.map(({ event }) => event.correlation),
    rows.map(({ after }) => after.facts.submission.traceparent),
    plainArray(rows.map(({ event }) => event.eventId)),
    plainArray(rows.map(({ event }) => event.event.type)),
    plainArray(rows.map(({ event }) => event.status)),
    plainArray(rows.map(({ slice }) => slice.at)),
    plainArray(rows.map(({ slice }) => slice.length)),
  ];
  return [settings.leaseMs, JOB_EVENT_SCHEMA_VERSION, arena.bytes(), ...columns];
}

/** Deployments and accounts of the counters; per item the index of its account's counter and of its deployment's. */
function counterColumns(items: readonly CommitItem[]): readonly string[] {
  const { deploymentIds, accountIds, accounts, deployments } = countersOf(items);
  return [plainArray(deploymentIds), plainArray(accountIds), plainArray(accounts), plainArray(deployments)];
}

function changeColumns(items: readonly CommitItem[], settings: JobsSettings): readonly unknown[] {
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
  return [
    plainArray(rows.map((row) => row.jobId)),
    plainArray(rows.map((row) => versionOf(row.plan.before))),
    plainArray(rows.map((row) => row.after.status)),
    plainArray(rows.map((row) => row.after.facts.version)),
    plainArray(rows.map((row) => row.after.facts.fence)),
    rows.map((row) => (row.progress === null ? null : JSON.stringify(row.progress))),
    rows.map((row) => (row.after.status === 'failed' ? JSON.stringify(row.after.error) : null)),
    plainArray(rows.map((row) => row.change)),
    plainArray(rows.map((row) => row.after.facts.submission.maxQueueWaitMs)),
    plainArray(rows.map((row) => retryDelayMs(row.plan, settings))),
    rows.map((row) => row.plan.events[0]?.correlation ?? null),
    rows.map((row) => row.after.facts.submission.traceparent),
    plainArray(rows.map((row) => queueStepOf(row.plan).waiting)),
    plainArray(rows.map((row) => queueStepOf(row.plan).running)),
    plainArray(rows.map((_, index) => eventsBefore[index]! + 1)),
    plainArray(rows.map((row, index) => eventsBefore[index]! + row.plan.events.length)),
  ];
}

function runningTotals(lengths: readonly number[]): readonly number[] {
  let total = 0;
  return lengths.map((length) => (total += length) - length);
}
