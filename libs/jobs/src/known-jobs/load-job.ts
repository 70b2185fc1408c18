import { Inject, Injectable } from '@nestjs/common';
import { decodeJobEvent, fold, initial, UndecodableEvent } from '@heddle/jobs-domain';
import type { RecordedJobEvent } from '@heddle/jobs-domain';
import { readStream } from '@heddle/platform-event-log';
import type { StoredEvent } from '@heddle/platform-event-log';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import type { KnownJob } from './known-jobs.js';
import { UnreadableJobError, UnreadableJobs } from './unreadable-jobs.js';
import { JOBS_POOL } from '../jobs-connections.js';

/** Throws if the payload was purged: the caller then knows that the job is purged. */
export function recordedJobEvent(stored: StoredEvent): RecordedJobEvent {
  if (stored.data === null) throw new Error(`the payload of ${stored.type} of job ${stored.streamId} was purged`);
  return {
    event: decodeJobEvent(stored.type, stored.schemaVersion, stored.data.toString()),
    recordedAt: stored.recordedAt,
    workerSequence: stored.workerSeq,
  };
}

/** Loads a job from the log. */
@Injectable()
export class LoadJob {
  constructor(
    @Inject(JOBS_POOL) private readonly pool: Pool,
    private readonly unreadable: UnreadableJobs,
  ) {}

  /** undefined if there is no such job. Throws `UnreadableJobError` if this build cannot read one of its events. */
  async load(jobId: JobId): Promise<KnownJob | undefined> {
    const stored = await readStream(this.pool, JOBS_SCHEMA, jobId);
    const first = stored[0];
    if (first === undefined) return undefined;
    const principal = { accountId: first.accountId as AccountId, deploymentId: first.deploymentId as DeploymentId };
    if (stored.some(({ data }) => data === null))
      return { ...principal, state: { status: 'purged', version: stored.length } };
    return {
      ...principal,
      state: fold(
        stored.map((event) => this.#recorded(jobId, event)),
        initial,
      ),
    };
  }

  #recorded(jobId: JobId, stored: StoredEvent): RecordedJobEvent {
    try {
      return recordedJobEvent(stored);
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      throw this.unreadable.found(new UnreadableJobError(jobId, stored, error), jobId);
    }
  }

  /** Version of a job that has not ended, from its queue row; null if it ended or never existed. */
  async version(jobId: JobId): Promise<number | null> {
    const { rows } = await this.pool.query<{ version: number }>({
      name: 'job-version',
      text: 'select version from jobs.queue where job_id = $1',
      values: [jobId],
    });
    return rows[0]?.version ?? null;
  }

  /** When an event was recorded; null if it was not. */
  async recordedAt(jobId: JobId, eventId: string): Promise<string | null> {
    const stored = await readStream(this.pool, JOBS_SCHEMA, jobId);
    return stored.find((event) => event.eventId === eventId)?.recordedAt ?? null;
  }
}
