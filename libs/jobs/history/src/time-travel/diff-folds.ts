import { decodeJobEvent, evolve, initial } from '@heddle/jobs-domain';
import type { JobState, RecordedJobEvent } from '@heddle/jobs-domain';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { jobAt, type JobAt } from './job-at.js';
import { differingFields } from './diff-job.js';

/** The `evolve` of another build; its states are read as this build's. */
export type OtherEvolve = (state: unknown, recorded: RecordedJobEvent) => unknown;

interface FoldDifference {
  readonly job_id: string;
  readonly version: number;
  readonly field: string;
  readonly here: unknown;
  readonly there: unknown;
}

/** What a comparison could not compare. */
export interface FoldSkips {
  /** Jobs of which a payload was purged or left out, compared up to it. */
  redacted: number;
  /** Jobs with an event that this build cannot decode, compared up to it. */
  undecodable: number;
  /** The first of these events. */
  first: string | null;
}

/**
 * Folds the events of each job with both builds; of each job the first version at which they disagree is given. `skips`
 * counts what was not compared.
 */
export async function* diffFolds(
  jobs: AsyncIterable<readonly NumberedEvent[]>,
  there: OtherEvolve,
  skips: FoldSkips,
): AsyncGenerator<FoldDifference> {
  for await (const events of jobs) yield* diffJobFolds(events, there, skips);
}

function* diffJobFolds(
  events: readonly NumberedEvent[],
  there: OtherEvolve,
  skips: FoldSkips,
): Generator<FoldDifference> {
  let states: { readonly here: JobState; readonly there: unknown } = { here: initial, there: initial };
  for (const event of events) {
    const { streamId: jobId, deploymentId, version, type, schemaVersion, data } = event;
    // A payload that is gone or of a newer build ends what can be compared of this job.
    if (data === null) {
      skips.redacted += 1;
      return;
    }
    const recorded = recordedOf(type, schemaVersion, data, event);
    if (recorded === null) {
      skips.undecodable += 1;
      skips.first ??= `seq ${event.seq}, job ${jobId}: this build cannot read ${type} of schema version ${schemaVersion}`;
      return;
    }
    const here = evolve(states.here, recorded);
    const owner = { jobId, deploymentId };
    const state = states.there;
    const other = attempted(() => there(state, recorded));
    const differing = differingFields(jobAt(owner, here), other.failed ?? attemptedJob(owner, other.value));
    for (const [field, [mine, theirs]] of Object.entries(differing))
      yield { job_id: jobId, version, field, here: mine, there: theirs };
    if (Object.keys(differing).length > 0) return;
    states = { here, there: other.value };
  }
}

function recordedOf(
  type: string,
  schemaVersion: number,
  data: Buffer,
  { recordedAt, workerSeq }: { readonly recordedAt: string; readonly workerSeq: number | null },
): RecordedJobEvent | null {
  try {
    const event = decodeJobEvent(type, schemaVersion, data.toString('utf8'));
    return { event, recordedAt, workerSequence: workerSeq };
  } catch {
    return null;
  }
}

/** A fold that throws is a disagreement: its message stands in the place of the status. */
function attempted(work: () => unknown): { readonly value: unknown; readonly failed: JobAt | null } {
  try {
    return { value: work(), failed: null };
  } catch (error) {
    return {
      value: null,
      failed: { status: `evolve threw: ${error instanceof Error ? error.message : String(error)}` },
    };
  }
}

function attemptedJob(owner: Parameters<typeof jobAt>[0], state: unknown): JobAt | null {
  try {
    return jobAt(owner, state as JobState);
  } catch (error) {
    return { status: `no state of a job: ${error instanceof Error ? error.message : String(error)}` };
  }
}
