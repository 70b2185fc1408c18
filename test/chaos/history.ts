import type { JobStatus } from '@heddle/testing-api';

/** What a client knows of a request: carried out, definitely not carried out, or unknown */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface Submission {
  readonly key: string;
  /** The workflow as it was sent */
  readonly workflow: string;
  outcome: Outcome;
  jobId: string | null;
  /** Error code of a refusal */
  code: string | null;
}

export interface Upload {
  readonly key: string;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly filePath: string;
  outcome: Outcome;
  assetId: string | null;
  /** A deletion was requested: the asset may be gone. */
  deleted: boolean;
}

export interface Cancel {
  readonly jobId: string;
  readonly outcome: Outcome;
  /** The status in the answer. */
  readonly status: JobStatus | null;
}

const MAX_ENTRIES = 20_000;

/** Requests of a run's clients and their answers, against which the log is checked afterwards */
export class History {
  readonly submissions: Submission[] = [];
  readonly uploads: Upload[] = [];
  readonly cancels: Cancel[] = [];
  /** Terminal statuses that a client has seen */
  readonly seenEnds = new Map<string, JobStatus>();
  /** Answers that no client must receive: each is a defect. */
  readonly offences: string[] = [];
  #settled: readonly [number, number] = [0, 0];

  submission(entry: Submission): void {
    this.#keep(this.submissions, entry);
  }

  upload(entry: Upload): void {
    this.#keep(this.uploads, entry);
  }

  cancel(entry: Cancel): void {
    this.#keep(this.cancels, entry);
  }

  /** Records a terminal status: the job must stay in it. */
  sawEnd(jobId: string, status: JobStatus): void {
    const before = this.seenEnds.get(jobId);
    if (before !== undefined && before !== status)
      this.offences.push(`job ${jobId} was ${before} and became ${status}`);
    this.seenEnds.set(jobId, before ?? status);
  }

  /** Records since the last call */
  unsettled(): { readonly submissions: readonly Submission[]; readonly uploads: readonly Upload[] } {
    const { submissions, uploads } = this;
    const fresh = { submissions: submissions.slice(this.#settled[0]), uploads: uploads.slice(this.#settled[1]) };
    this.#settled = [submissions.length, uploads.length];
    return fresh;
  }

  get acknowledgedJobs(): readonly string[] {
    return this.submissions.flatMap(({ outcome, jobId }) => (outcome === 'ok' && jobId !== null ? [jobId] : []));
  }

  #keep<Entry>(entries: Entry[], entry: Entry): void {
    if (entries.length >= MAX_ENTRIES) throw new Error(`a history holds at most ${MAX_ENTRIES} entries of a kind`);
    entries.push(entry);
  }
}
