import type { RecordedError, RecordedOutput, RecordedProgress } from './job.events.js';
import type { JobState, VisibleJob, VisibleStatus } from './job.state.js';

/** A job as readers see it, as far as the log alone determines it. */
export interface JobProjection {
  readonly status: VisibleStatus;
  readonly version: number;
  readonly fence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly expiresAt: string;
  readonly progress: RecordedProgress | null;
  readonly outputs: readonly RecordedOutput[];
  readonly error: RecordedError | null;
  readonly queueMs: number | null;
  readonly executionMs: number | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** null before the submission and after the purge. */
export function projectJob(state: JobState): JobProjection | null {
  if (state.status === 'unsubmitted' || state.status === 'purged') return null;
  const { facts } = state;
  const completedAt = completedAtOf(state);
  return {
    status: state.status,
    version: facts.version,
    fence: facts.fence,
    createdAt: facts.createdAt,
    updatedAt: facts.updatedAt,
    startedAt: facts.startedAt,
    completedAt,
    expiresAt: facts.expiresAt,
    progress: facts.progress,
    outputs: facts.outputs,
    error: state.status === 'failed' ? state.error : null,
    queueMs: millisecondsBetween(facts.createdAt, facts.startedAt),
    executionMs: millisecondsBetween(facts.startedAt, completedAt),
    metadata: facts.submission.metadata,
  };
}

/** null while either end is open; never negative, even if the clock steps back. */
export function millisecondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from));
}

function completedAtOf(state: VisibleJob): string | null {
  return state.status === 'queued' || state.status === 'running' || state.status === 'canceling'
    ? null
    : state.completedAt;
}
