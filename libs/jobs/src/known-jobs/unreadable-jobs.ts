import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import type { UndecodableEvent } from '@heddle/jobs-domain';
import type { JobId } from '@heddle/contracts-messages';
import type { StoredEvent } from '@heddle/platform-event-log';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';

/** How long an unreadable job is skipped; only another build or a repair makes it readable. */
const SET_ASIDE_MS = 60_000;
const MAX_JOBS = 10_000;

/**
 * This build cannot fold the job, so it makes no decision on it. The caller may retry: another replica may be able to
 * read it.
 */
export class UnreadableJobError extends Error {
  override readonly name = 'UnreadableJobError';
  constructor(jobId: JobId, { version, type, schemaVersion }: StoredEvent, cause: UndecodableEvent) {
    super(
      `job ${jobId} is skipped: this build cannot read its event ${version} (${type}, schema version ${schemaVersion}): ` +
        `${cause.message}; a replica of the build that wrote it can continue the job`,
      { cause },
    );
  }
}

/** Jobs that this replica skips. Its sweeps pass over them, so that others get their turn. */
@Injectable()
export class UnreadableJobs implements Observed {
  readonly #until = new Map<JobId, number>();

  constructor(private readonly log: BackgroundLogger) {}

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.unreadableJobs, () => this.jobs().length);
  }

  /** Logged once while the job is set aside. */
  found(error: UnreadableJobError, jobId: JobId): UnreadableJobError {
    if (!this.#isSetAside(jobId)) this.log.error('a job has an event that this build cannot read', error);
    this.#until.set(jobId, performance.now() + SET_ASIDE_MS);
    if (this.#until.size > MAX_JOBS) this.#until.delete(this.#until.keys().next().value!);
    return error;
  }

  jobs(): readonly JobId[] {
    return [...this.#until.keys()].filter((jobId) => this.#isSetAside(jobId));
  }

  #isSetAside(jobId: JobId): boolean {
    const until = this.#until.get(jobId);
    if (until === undefined || until > performance.now()) return until !== undefined;
    this.#until.delete(jobId);
    return false;
  }
}
