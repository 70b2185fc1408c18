import { JOB_EVENT_SCHEMA_VERSION, isLeased } from '@heddle/jobs-domain';
import { ByteArena, plainArray } from '../group-commit/byte-arena.js';
import type { JobsSettings } from '../jobs-settings.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import { fenceOf, newOutputs, shown } from './change-plan.js';
import type { CommitItem } from './change-plan.js';
import { loneEndSql, loneLeaseSql } from './lone-statement.sql.js';

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
function loneEnd({ jobId, plan }: CommitItem): LoneStatement | null {
  const { before, after, events } = plan;
  const fence = fenceOf(after);
  const last = events.at(-1);
  if (!isLeased(before) || last?.ends !== true || events.some((event) => event.fence !== fence)) return null;
  const { status, facts } = shown(after);
  const arena = new ByteArena();
  const slices = events.map(({ event }) => arena.add(Buffer.from(JSON.stringify(event.data))));
  const outputs = newOutputs(plan);
  const keys = outputs.map(([, output]) => arena.add(Buffer.from(output.key)));
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
    plainArray(events.map((event) => event.eventId)),
    plainArray(events.map((event) => event.version)),
    plainArray(events.map((event) => event.event.type)),
    plainArray(events.map((event) => event.workerSequence ?? 0)),
    plainArray(slices.map((slice) => slice.at)),
    plainArray(slices.map((slice) => slice.length)),
    arena.bytes(),
    plainArray(outputs.map(([ordinal]) => ordinal)),
    plainArray(keys.map((key) => key.at)),
    plainArray(keys.map((key) => key.length)),
    outputs.map(([, output]) => JSON.stringify(output)),
  ];
  return { name: 'commit-lone-end', text: loneEndSql, values };
}
