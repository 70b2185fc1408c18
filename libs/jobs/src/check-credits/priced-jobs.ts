import { charge, decodeJobEvent, evolve, initial, isEnded, UndecodableEvent } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import { uuidOfKey } from '@heddle/platform-database';
import type { BinaryRow } from '@heddle/platform-database';
import { PART_EVENTS, PART_JOB_ENTRIES } from './check-credits.sql.js';

/** An entry of a job. Ids are the keys of rows: texts are made for problems alone. */
interface JobEntry {
  readonly kind: string;
  readonly account: string;
  readonly entryId: number;
  readonly amount: number;
  readonly charged: number;
}

/** What the log says of a job. */
interface PricedJob {
  readonly key: string;
  readonly account: string;
  /** Folded from the events that decide what a job costs; null: its payloads were removed, or are unreadable. */
  state: JobState | null;
}

/**
 * Merges the rows of `jobEntriesSql` and `pricedEventsSql`, both in the order of jobs: each job's entries are what its
 * events say. Entries of a job that the log no longer has are not judged.
 */
export class PricedJobs {
  readonly #entries = new Map<string, JobEntry[]>();
  #entryRows = 0;
  #lastEntryOf = '';
  #lastWithAllEntries: string | null = null;
  #eventRows = 0;
  #current: PricedJob | null = null;
  #lastJudged: string | null = null;

  constructor(private readonly problem: (text: string) => void) {}

  takeEntry(row: BinaryRow): void {
    this.#entryRows += 1;
    const key = row.key(0);
    let entries = this.#entries.get(key);
    if (entries === undefined) {
      if (this.#lastEntryOf !== '') this.#lastWithAllEntries = this.#lastEntryOf;
      this.#lastEntryOf = key;
      this.#entries.set(key, (entries = []));
    }
    entries.push({
      kind: row.text(1),
      account: row.key(2),
      entryId: row.integer(3),
      amount: row.integer(4),
      charged: row.isNull(5) ? 0 : row.integer(5),
    });
  }

  /** The last job whose entries were all taken; null: there are no further entries. */
  get last(): string | null {
    return this.#entryRows < PART_JOB_ENTRIES ? null : jobIdOfKey(this.#lastWithAllEntries);
  }

  takeEvent(row: BinaryRow): void {
    this.#eventRows += 1;
    const key = row.key(0);
    if (this.#current?.key !== key) {
      this.#judge();
      this.#current = { key, account: row.key(3), state: initial };
    }
    const job = this.#current;
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

  /** Resolves with the job after which the next part begins; null: this was the last part. */
  end(): string | null {
    const isCut = this.#eventRows === PART_EVENTS;
    // Further events of the current job may follow: the next part begins with it.
    if (isCut && this.#lastJudged !== null) return jobIdOfKey(this.#lastJudged);
    this.#judge();
    return isCut ? jobIdOfKey(this.#lastJudged) : this.last;
  }

  #judge(): void {
    const job = this.#current;
    if (job === null) return;
    this.#lastJudged = job.key;
    if (job.state === null) return;
    const entries = this.#entries.get(job.key) ?? [];
    for (const entry of entries) {
      const trouble = troubleOf(entry, job, job.state);
      if (trouble !== null)
        this.problem(`${entry.kind} entry ${entry.entryId} of account ${uuidOfKey(entry.account)}: ${trouble}`);
    }
    if (job.state.status === 'unsubmitted' || job.state.status === 'purged') return;
    const { reserved } = job.state.facts.submission;
    const has = (kind: string): boolean => entries.some((entry) => entry.kind === kind);
    if (reserved > 0 && !has('reserve'))
      this.problem(`job ${uuidOfKey(job.key)} reserved ${reserved} by the log, and has no entry`);
    else if (reserved > 0 && isEnded(job.state) && !has('settle'))
      this.problem(`job ${uuidOfKey(job.key)} of account ${uuidOfKey(job.account)} has ended and has no settle entry`);
  }
}

/** Compares an entry with the log; null: they agree. */
function troubleOf({ kind, account, amount, charged }: JobEntry, job: PricedJob, state: JobState): string | null {
  const jobId = (): string => uuidOfKey(job.key);
  if (state.status === 'unsubmitted' || state.status === 'purged') return `the log has no job ${jobId()}`;
  if (job.account !== account) return `job ${jobId()} belongs to account ${uuidOfKey(job.account)}`;
  const { reserved } = state.facts.submission;
  if (kind === 'reserve') {
    if (reserved === -amount) return null;
    return `job ${jobId()} reserved ${reserved}, the entry has ${-amount}`;
  }
  if (!isEnded(state)) return `job ${jobId()} has not ended`;
  const cost = charge(state);
  if (charged !== cost) return `job ${jobId()} costs ${cost}, the entry charged ${charged}`;
  if (amount === reserved - cost) return null;
  return `job ${jobId()} gets ${reserved - cost} back, the entry has ${amount}`;
}

function jobIdOfKey(key: string | null): string | null {
  return key === null ? null : uuidOfKey(key);
}
