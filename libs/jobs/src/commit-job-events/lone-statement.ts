import { JOB_EVENT_SCHEMA_VERSION, isLeased } from '@heddle/jobs-domain';
import { ByteArena } from '../group-commit/byte-arena.js';
import type { JobsSettings } from '../jobs-settings.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import { fenceOf, shown } from './change-plan.js';
import type { CommitItem } from './change-plan.js';
import { loneEndSql, loneLeaseSql } from './lone-statement.sql.js';
import { eventColumns, outputColumns } from './statement-columns.js';

export interface LoneStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** The compiled function for a batch of this one change, or null where there is none (docs/decisions/0017). */
export function loneStatement(item: CommitItem, settings: JobsSettings): LoneStatement | null {
  return loneLease(item, settings) ?? loneEnd(item);
}

function loneLease({ jobId, plan }: CommitItem, settings: JobsSettings): LoneStatement | null {
  const [planned, second] = plan.events;
  if (planned?.event.type !== 'JobLeased' || second !== undefined || plan.after.status !== 'running') return null;
  const { lease } = plan.after;
  const values = [
    jobId,
    versionOf(plan.before),
    planned.version,
    planned.fence,
    lease.workerId,
    settings.leaseMs,
    lease.maxRuntimeMs,
    planned.eventId,
    JOB_EVENT_SCHEMA_VERSION,
    planned.correlation,
    Buffer.from(JSON.stringify(planned.event.data)),
  ];
  return { name: 'commit-lone-lease', text: loneLeaseSql, values };
}

/** The last commit of a leased job: whatever was told with its end, all under the lease's fence. */
function loneEnd(item: CommitItem): LoneStatement | null {
  const { jobId, plan } = item;
  const { before, after, events } = plan;
  const fence = fenceOf(after);
  const last = events.at(-1);
  if (!isLeased(before) || last?.ends !== true || events.some((event) => event.fence !== fence)) return null;
  const { status, facts } = shown(after);
  const arena = new ByteArena();
  // One fence for all, and the last one ends the job.
  const [eventIds, versions, types, , sequences, , starts, lengths] = eventColumns([item], arena);
  const [, ordinals, keyStarts, keyLengths, outputs] = outputColumns([item], arena);
  const values = [
    jobId,
    versionOf(before),
    last.version,
    fence,
    status,
    facts.progress === shown(before).facts.progress ? null : JSON.stringify(facts.progress),
    after.status === 'failed' ? JSON.stringify(after.error) : null,
    events[0]!.correlation,
    JOB_EVENT_SCHEMA_VERSION,
    ...[eventIds, versions, types, sequences, starts, lengths],
    arena.bytes(),
    ...[ordinals, keyStarts, keyLengths, outputs],
  ];
  return { name: 'commit-lone-end', text: loneEndSql, values };
}
