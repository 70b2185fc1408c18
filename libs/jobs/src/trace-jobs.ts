import type { JobState } from '@heddle/jobs-domain';
import { currentCallContext, traceIdOf } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { CommittedJob } from './commit-job-events/committed-job.js';

/** The trace that a job belongs to: that of its submission. Null where it came without one, or is purged. */
export function traceparentOf(state: JobState): string | null {
  return state.status === 'unsubmitted' || state.status === 'purged' ? null : state.facts.submission.traceparent;
}

/** Tells the job's trace of what was committed, and how long it waited. Instants are those of the database's clock. */
export class TraceJobs {
  constructor(private readonly tracer: Tracer | null) {}

  /** Subscribed to what is committed here. */
  onCommitted({ jobId, before, after, events }: CommittedJob): void {
    const own = this.tracer === null ? null : traceparentOf(after);
    const last = events.at(-1);
    if (this.tracer === null || own === null || last === undefined) return;
    const attributes = { 'heddle.job_id': jobId, 'heddle.status': after.status };
    if (before.status === 'queued' && after.status === 'running') {
      const startMs = Date.parse(before.queuedAt);
      this.tracer
        .startSpan('wait in queue', own, { startMs, attributes: { 'heddle.job_id': jobId } })
        .end({}, Math.max(startMs, Date.parse(after.lease.leasedAt)));
    }
    const startMs = Date.parse(last.recordedAt);
    this.tracer
      .startSpan(`commit ${last.event.type}`, parentOf(own), { startMs, attributes })
      .end({ 'heddle.events': events.length }, Math.max(startMs, Date.now()));
  }
}

/** The call that caused it, where that is of the same trace. */
function parentOf(own: string): string {
  const current = currentCallContext()?.traceparent ?? null;
  return current !== null && traceIdOf(current) === traceIdOf(own) ? current : own;
}
