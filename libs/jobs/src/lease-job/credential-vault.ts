import { isEnded } from '@heddle/jobs-domain';
import type { JobId, PartnerCredentials } from '@heddle/contracts-messages';
import type { CommittedJob } from '../commit-job-events/committed-job.js';

/**
 * Partner credentials of jobs that have not ended: in this process's memory and nowhere else. Whoever has been here
 * longest goes when it is full; that job then fails with credential_lost instead of running without them.
 */
export class CredentialVault {
  readonly #credentials = new Map<JobId, PartnerCredentials>();

  constructor(private readonly capacity: number) {}

  put(jobId: JobId, credentials: PartnerCredentials): void {
    this.#credentials.set(jobId, credentials);
    if (this.#credentials.size <= this.capacity) return;
    const oldest = this.#credentials.keys().next();
    if (!oldest.done) this.#credentials.delete(oldest.value);
  }

  get(jobId: JobId): PartnerCredentials | null {
    return this.#credentials.get(jobId) ?? null;
  }

  /** Subscribed to what is committed here: nothing is kept longer than its job. */
  onCommitted({ jobId, after }: CommittedJob): void {
    if (isEnded(after)) this.destroy(jobId);
  }

  destroy(jobId: JobId): void {
    this.#credentials.delete(jobId);
  }
}
