import { charge, decodeJobEvent, evolve, initial, isEnded, UndecodableEvent } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import type { BinaryRow } from '@heddle/platform-database';
import type { WalkedEntry } from './ledger-walk.js';

/** What the log says of a job that has entries. */
export interface PricedJob {
  readonly accountId: string;
  /** Folded from the events that decide what a job costs; null: its payloads were removed, or are unreadable. */
  state: JobState | null;
  readonly isSettled: boolean;
}

/** Folds the rows of `pricedEventsSql`. */
export class PricedJobs {
  readonly jobs = new Map<string, PricedJob>();

  take(row: BinaryRow): void {
    const jobId = row.uuid(0);
    let job = this.jobs.get(jobId);
    if (job === undefined) {
      job = { accountId: row.uuid(3), state: initial, isSettled: row.flag(6) };
      this.jobs.set(jobId, job);
    }
    if (job.state === null) return;
    if (row.isNull(5)) {
      job.state = null;
      return;
    }
    try {
      const event = decodeJobEvent(row.text(1), row.int16(2), row.text(5));
      const recordedAt = new Date(row.milliseconds(4)).toISOString();
      // The purge leaves what was folded: only its payloads may be gone.
      if (event.type !== 'JobPurged') job.state = evolve(job.state, { event, recordedAt, workerSequence: null });
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      job.state = null;
    }
  }

  /** Compares an entry with the log; null: they agree, or the log no longer has the job. */
  trouble({ accountId, entryId, kind, amount, jobId, charged }: WalkedEntry): string | null {
    const job = jobId === null ? undefined : this.jobs.get(jobId);
    if (job === undefined || job.state === null) return null;
    const { state } = job;
    const at = `${kind} entry ${entryId} of account ${accountId}`;
    if (state.status === 'unsubmitted' || state.status === 'purged') return `${at}: the log has no job ${jobId}`;
    if (job.accountId !== accountId) return `${at}: job ${jobId} belongs to account ${job.accountId}`;
    const { reserved } = state.facts.submission;
    if (kind === 'reserve') {
      if (reserved !== -amount) return `${at}: job ${jobId} reserved ${reserved}, the entry has ${-amount}`;
      if (isEnded(state) && !job.isSettled) return `${at}: job ${jobId} has ended and has no settle entry`;
      return null;
    }
    if (!isEnded(state)) return `${at}: job ${jobId} has not ended`;
    const cost = charge(state);
    if (charged !== cost) return `${at}: job ${jobId} costs ${cost}, the entry charged ${charged}`;
    return amount === reserved - cost
      ? null
      : `${at}: job ${jobId} gets ${reserved - cost} back, the entry has ${amount}`;
  }
}
