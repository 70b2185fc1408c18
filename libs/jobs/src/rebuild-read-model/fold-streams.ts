import { decodeJobEvent, evolve, initial, isEnded, readsJobEvent, UndecodableEvent } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import type { BinaryRow } from '@heddle/platform-database';
import type { LogFault } from '@heddle/platform-event-log';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import type { FoldedJob } from './read-model-tables.js';

/** Column indexes in a row of `streamsSql`. */
const AT = {
  streamId: 0,
  version: 1,
  eventId: 2,
  type: 3,
  schemaVersion: 4,
  accountId: 5,
  deploymentId: 6,
  workerSeq: 7,
  recordedAt: 8,
  data: 9,
} as const;

/** The events of the jobs whose id meets the condition, job by job, in version order. */
export function streamsSql(condition: (column: string) => string): string {
  return `
    select e.stream_id, e.version, e.event_id, e.type, e.schema_version, e.account_id, e.deployment_id, e.worker_seq, e.recorded_at, e.data
      from ${JOBS_SCHEMA}.event e where ${condition('e.stream_id')} order by e.stream_id, e.version`;
}

/** Result of folding a job's events. */
export type FoldedStream =
  | { readonly jobId: string; readonly is: 'visible'; readonly job: FoldedJob }
  /** It was purged, so the read model must not contain it. */
  | { readonly jobId: string; readonly is: 'purged' }
  /** A payload was removed or is unreadable: its rows cannot be checked. */
  | { readonly jobId: string; readonly is: 'unknown' };

export interface FoldListener {
  folded(stream: FoldedStream): void;
  fault(fault: LogFault['fault'], message: string, at: Pick<LogFault, 'eventId' | 'streamId' | 'version'>): void;
}

/** Folds the rows of `streamsSql` one job after the other, with one job in memory. */
export class StreamFold {
  #jobId = '';
  #key = '';
  #accountId = '';
  #deploymentId = '';
  #version = 0;
  #state: JobState = initial;
  /** An event is unusable. */
  #unknown = false;
  /** A payload was removed: only a purge explains that. */
  #redacted = false;
  #lastType = '';

  constructor(private readonly listener: FoldListener) {}

  take(row: BinaryRow): void {
    const key = row.key(AT.streamId);
    if (key !== this.#key) {
      this.end();
      this.#begin(key, row);
    }
    const version = row.int32(AT.version);
    const type = row.text(AT.type);
    if (version !== this.#version + 1)
      this.#fault(row, 'fold', `the event follows version ${this.#version} of its job`);
    this.#version = version;
    const schemaVersion = row.int16(AT.schemaVersion);
    if (row.isNull(AT.data)) {
      if (!readsJobEvent(type, schemaVersion))
        this.#fault(row, 'undecodable', `the event is of the unknown type ${type} ${schemaVersion}`);
      this.#redacted = true;
    }
    this.#lastType = type;
    if (this.#unknown || this.#redacted) return;
    if (version === 1 ? type !== 'JobSubmitted' : type === 'JobSubmitted' || !mayFollow(this.#state, type))
      return this.#fault(row, 'fold', `${type} cannot be version ${version} of a job that is ${this.#state.status}`);
    this.#evolve(row, type, schemaVersion);
  }

  /** Emits the last job. */
  end(): void {
    if (this.#key === '') return;
    const [jobId, state] = [this.#jobId, this.#state];
    this.#key = '';
    const isPurged = this.#redacted && this.#lastType === 'JobPurged';
    if (this.#unknown || (this.#redacted && !isPurged)) this.listener.folded({ jobId, is: 'unknown' });
    else if (isPurged || state.status === 'purged' || state.status === 'unsubmitted')
      this.listener.folded({ jobId, is: 'purged' });
    else {
      const job = { jobId, accountId: this.#accountId, deploymentId: this.#deploymentId, state };
      this.listener.folded({ jobId, is: 'visible', job });
    }
  }

  #begin(key: string, row: BinaryRow): void {
    this.#key = key;
    this.#jobId = row.uuid(AT.streamId);
    this.#accountId = row.uuid(AT.accountId);
    this.#deploymentId = row.uuid(AT.deploymentId);
    this.#version = 0;
    this.#state = initial;
    this.#unknown = false;
    this.#redacted = false;
  }

  #evolve(row: BinaryRow, type: string, schemaVersion: number): void {
    try {
      this.#state = evolve(this.#state, {
        event: decodeJobEvent(type, schemaVersion, row.text(AT.data)),
        recordedAt: new Date(row.milliseconds(AT.recordedAt)).toISOString(),
        workerSequence: row.isNull(AT.workerSeq) ? null : Number(row.int64(AT.workerSeq)),
      });
    } catch (error) {
      const kind = error instanceof UndecodableEvent ? 'undecodable' : 'fold';
      this.#fault(row, kind, error instanceof Error ? error.message : String(error));
    }
  }

  #fault(row: BinaryRow, fault: LogFault['fault'], message: string): void {
    // One unusable event makes the rest of its job unknown: report one fault only.
    if (!this.#unknown)
      this.listener.fault(fault, message, {
        eventId: row.uuid(AT.eventId),
        streamId: this.#jobId,
        version: row.int32(AT.version),
      });
    this.#unknown = true;
  }
}

/** Only the purge may follow the end of a job. */
function mayFollow(state: JobState, type: string): boolean {
  if (state.status === 'unsubmitted' || state.status === 'purged') return false;
  return !isEnded(state) || type === 'JobPurged';
}
