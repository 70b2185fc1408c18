import { decodeJobEvent, evolve, initial } from '@heddle/jobs-domain';
import type { JobState, RecordedJobEvent } from '@heddle/jobs-domain';
import type { HistorySource } from '../open-source/history-source.js';
import { jobAt, type JobAt } from './job-at.js';
import { differingFields } from './diff-logs.js';

/** The `evolve` of another build; its states are read as this build's. */
export type OtherEvolve = (state: unknown, recorded: RecordedJobEvent) => unknown;

export interface FoldDifference {
  readonly job_id: string;
  readonly version: number;
  readonly field: string;
  readonly here: unknown;
  readonly there: unknown;
}

/** Folds each event with both builds; of each job the first version at which they disagree is given. */
export async function* diffFolds(
  source: HistorySource,
  there: OtherEvolve,
  signal?: AbortSignal,
): AsyncGenerator<FoldDifference> {
  const states = new Map<string, { here: JobState; there: unknown } | null>();
  for await (const batch of source.events(0n, signal))
    for (const event of batch) {
      const { streamId: jobId, deploymentId, version, data } = event;
      const state = states.get(jobId) === undefined ? { here: initial, there: initial } : states.get(jobId);
      if (state === null || state === undefined) continue;
      const recorded = data === null ? null : recordedOf(event.type, event.schemaVersion, data, event);
      // A payload that is gone or of a newer build ends what can be compared of this job.
      if (recorded === null) {
        states.set(jobId, null);
        continue;
      }
      const here = evolve(state.here, recorded);
      const owner = { jobId, deploymentId };
      const other = attempted(() => there(state.there, recorded));
      const differing = differingFields(jobAt(owner, here), other.failed ?? attemptedJob(owner, other.value));
      states.set(jobId, Object.keys(differing).length > 0 ? null : { here, there: other.value });
      for (const [field, [mine, theirs]] of Object.entries(differing))
        yield { job_id: jobId, version, field, here: mine, there: theirs };
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
