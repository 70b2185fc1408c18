import { Injectable } from '@nestjs/common';
import type { UndecodableEvent } from '@heddle/jobs-domain';
import type { JobId } from '@heddle/contracts-messages';
import type { StoredEvent } from '@heddle/platform-event-log';
import { JobsLog } from '../jobs-log.js';

/** How long such a job is not looked at again; nothing but another build, or a repair, makes it readable. */
const SET_ASIDE_MS = 60_000;
const MAX_JOBS = 10_000;

/** This build cannot fold the job, so it decides nothing about it. Whoever asked may try again: another replica may read it. */
export class UnreadableJobError extends Error {
  override readonly name = 'UnreadableJobError';
  constructor(jobId: JobId, { version, type, schemaVersion }: StoredEvent, cause: UndecodableEvent) {
    super(
      `job ${jobId} is left alone: this build cannot read its event ${version} (${type}, schema version ${schemaVersion}): ` +
        `${cause.message}; a replica of the build that wrote it can go on with the job`,
      { cause },
    );
  }
}

/** The jobs that this replica leaves alone. Its sweeps pass them by, so that others of their round have their turn. */
@Injectable()
export class UnreadableJobs {
  readonly #until = new Map<JobId, number>();

  constructor(private readonly log: JobsLog) {}

  /** Told once for as long as the job is set aside. */
  found(error: UnreadableJobError, jobId: JobId): UnreadableJobError {
    if (!this.#isSetAside(jobId)) this.log.failed('a job has an event that this build cannot read', error);
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
