import { isEnded } from '@heddle/jobs-domain';
import type { HeldCredentials, JobId, PartnerCredentials } from '@heddle/contracts-messages';
import type { CommittedJob } from '../commit-job-events/committed-job.js';

interface Held {
  readonly credentials: PartnerCredentials;
  /** By the process's monotonic clock. */
  readonly since: number;
}

/**
 * Partner credentials of jobs that have not ended: only in this process's memory. When it is full the oldest are
 * dropped; such a job fails with credential_lost instead of running without them.
 */
export class CredentialVault {
  readonly #held = new Map<JobId, Held>();

  constructor(private readonly capacity: number) {}

  put(jobId: JobId, credentials: PartnerCredentials): void {
    this.#held.set(jobId, { credentials, since: performance.now() });
    if (this.#held.size <= this.capacity) return;
    const oldest = this.#held.keys().next();
    if (!oldest.done) this.#held.delete(oldest.value);
  }

  get(jobId: JobId): PartnerCredentials | null {
    return this.#held.get(jobId)?.credentials ?? null;
  }

  /** All credentials, for a replica that continues after this one. */
  all(): readonly HeldCredentials[] {
    return [...this.#held].map(([jobId, { credentials }]) => ({ jobId, credentials }));
  }

  /** Jobs whose credentials have been held for at least `ms`. */
  heldFor(ms: number): readonly JobId[] {
    const before = performance.now() - ms;
    return [...this.#held].filter(([, { since }]) => since <= before).map(([jobId]) => jobId);
  }

  /** Called after each commit in this process: nothing is kept longer than its job. */
  onCommitted({ jobId, after }: CommittedJob): void {
    if (isEnded(after)) this.destroy(jobId);
  }

  destroy(jobId: JobId): void {
    this.#held.delete(jobId);
  }
}
