import { evolve, fold, initial, UndecodableEvent } from '@heddle/jobs-domain';
import type { JobState, RecordedJobEvent } from '@heddle/jobs-domain';
import type { JobId, JobStatus } from '@heddle/contracts-messages';
import { readStream } from '@heddle/platform-event-log';
import type { StoredEvent } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { traceparentOf } from '../trace-jobs.js';
import { recordedJobEvent } from '../known-jobs/load-job.js';
import { RecentEntries } from '../known-jobs/recent-entries.js';

interface Footprint {
  readonly version: number;
  readonly state: JobState;
  readonly status: JobStatus;
}

/** Where a job stands after an event. */
export interface TrailStep {
  readonly status: JobStatus;
  /** Of the job's submission, if any. */
  readonly traceparent: string | null;
}

/** The status of each job after each event, along the log. Bounded; a job that was forgotten is read from its stream. */
export class StatusTrail {
  readonly #footprints: RecentEntries<string, Footprint>;

  constructor(
    private readonly pool: Pool,
    capacity: number,
  ) {
    this.#footprints = new RecentEntries(capacity);
  }

  async after(stored: StoredEvent, recorded: RecordedJobEvent): Promise<TrailStep> {
    const jobId = stored.streamId as JobId;
    const before = await this.#before(jobId, stored.version);
    const state = evolve(before.state, recorded);
    const status = statusOf(state, before.status);
    if (state.status === 'purged') this.#footprints.delete(jobId);
    else this.#footprints.set(jobId, { version: stored.version, state: lean(state), status });
    return { status, traceparent: traceparentOf(state) ?? traceparentOf(before.state) };
  }

  async #before(jobId: JobId, version: number): Promise<Footprint> {
    const known = this.#footprints.get(jobId);
    if (known?.version === version - 1) return known;
    if (version === 1) return { version: 0, state: initial, status: 'queued' };
    const stored = await readStream(this.pool, JOBS_SCHEMA, jobId);
    const past = stored.filter((event) => event.version < version).flatMap(knownEvent);
    const state = fold(past, initial);
    return { version: version - 1, state, status: statusOf(state, 'expired') };
  }
}

/** An event that a newer build wrote changes nothing that this one could tell of. */
function knownEvent(stored: StoredEvent): readonly RecordedJobEvent[] {
  try {
    return [recordedJobEvent(stored)];
  } catch (error) {
    if (error instanceof UndecodableEvent) return [];
    throw error;
  }
}

function statusOf(state: JobState, before: JobStatus): JobStatus {
  return state.status === 'unsubmitted' || state.status === 'purged' ? before : state.status;
}

/** Outputs do not decide about a status, and would make the trail heavy. */
function lean(state: JobState): JobState {
  if (state.status === 'unsubmitted' || state.status === 'purged') return state;
  return { ...state, facts: { ...state.facts, outputs: [] } };
}
