import { JobStream, projectJob } from '@heddle/jobs-domain';
import type { BinaryRow } from '@heddle/platform-database';
import type { LogFault } from '@heddle/platform-event-log';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { rowsOfJob } from './read-model-tables.js';
import type { JobRows } from './read-model-tables.js';

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
  status: 10,
} as const;

/** The events of the jobs whose id meets the condition, job by job, in version order. */
export function streamsSql(condition: (column: string) => string): string {
  return `
    select e.stream_id, e.version, e.event_id, e.type, e.schema_version, e.account_id, e.deployment_id, e.worker_seq, e.recorded_at, e.data, e.status
      from ${JOBS_SCHEMA}.event e where ${condition('e.stream_id')} order by e.stream_id, e.version`;
}

/** Result of folding a job's events. */
export type FoldedStream =
  | { readonly jobId: string; readonly is: 'visible'; readonly rows: JobRows; readonly outputs: number }
  /** It was purged, so the read model must not contain it. */
  | { readonly jobId: string; readonly is: 'purged' }
  /** A payload was removed without a purge, or is unreadable: its rows cannot be checked. */
  | { readonly jobId: string; readonly is: 'unknown' };

type EventPlace = Pick<LogFault, 'eventId' | 'streamId' | 'version'>;

interface FoldListener {
  folded(stream: FoldedStream): void;
  fault(fault: LogFault['fault'], message: string, at: EventPlace): void;
}

/** Folds the rows of `streamsSql` one job after the other, with one job in memory. */
export class StreamFold {
  #jobId = '';
  #key = '';
  #accountId = '';
  #deploymentId = '';
  #stream = new JobStream();
  /** The first event without its payload. */
  #redacted: EventPlace | null = null;

  constructor(private readonly listener: FoldListener) {}

  take(row: BinaryRow): void {
    const key = row.key(AT.streamId);
    if (key !== this.#key) {
      this.end();
      this.#begin(key, row);
    }
    const version = row.int32(AT.version);
    const found = this.#stream.take({
      version,
      type: row.text(AT.type),
      schemaVersion: row.int16(AT.schemaVersion),
      workerSequence: row.isNull(AT.workerSeq) ? null : Number(row.int64(AT.workerSeq)),
      recordedAt: row.instant(AT.recordedAt),
      data: row.isNull(AT.data) ? null : row.text(AT.data),
    });
    const at = (): EventPlace => ({ eventId: row.uuid(AT.eventId), streamId: this.#jobId, version });
    if (row.isNull(AT.data)) this.#redacted ??= at();
    if (found !== null) this.listener.fault(found.fault, found.message, at());
    else this.#compareStatus(row, at);
  }

  /** Emits the last job. */
  end(): void {
    if (this.#key === '') return;
    const jobId = this.#jobId;
    this.#key = '';
    const outcome = this.#stream.outcome();
    if (outcome.is === 'redacted') {
      const message = 'its payload was removed, although its job was not purged';
      this.listener.fault('fold', message, this.#redacted!);
      return this.listener.folded({ jobId, is: 'unknown' });
    }
    if (outcome.is !== 'visible') return this.listener.folded({ jobId, is: outcome.is });
    const { state } = outcome;
    const job = {
      jobId,
      accountId: this.#accountId,
      deploymentId: this.#deploymentId,
      state,
      view: projectJob(state)!,
    };
    this.listener.folded({ jobId, is: 'visible', rows: rowsOfJob(job), outputs: state.facts.outputs.length });
  }

  #begin(key: string, row: BinaryRow): void {
    this.#key = key;
    this.#jobId = row.uuid(AT.streamId);
    this.#accountId = row.uuid(AT.accountId);
    this.#deploymentId = row.uuid(AT.deploymentId);
    this.#stream = new JobStream();
    this.#redacted = null;
  }

  /** It follows from the stream, and the chain does not cover it. Rows of early builds have none. */
  #compareStatus(row: BinaryRow, at: () => EventPlace): void {
    const { status } = this.#stream;
    if (status === null || row.isNull(AT.status) || row.text(AT.status) === status) return;
    const message = `its status is ${row.text(AT.status)}, and the events of its job lead to ${status}`;
    this.listener.fault('fold', message, at());
  }
}
