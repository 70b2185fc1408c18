import type { JobState } from '@heddle/jobs-domain';
import { currentCallContext, traceIdOf } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { CommittedJob } from '../commit-job-events/committed-job.js';

/** Trace of a job's submission. Null if it had none, or the job was purged. */
export function traceparentOf(state: JobState): string | null {
  return state.status === 'unsubmitted' || state.status === 'purged' ? null : state.facts.submission.traceparent;
}

/** Adds spans for commits and for the wait to the job's trace. Times are the database clock's. */
export class TraceJobs {
  constructor(private readonly tracer: Tracer | null) {}

  /** Called after each commit in this process. */
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

/** The call that caused it, if it belongs to the same trace. */
function parentOf(own: string): string {
  const current = currentCallContext()?.traceparent ?? null;
  return current !== null && traceIdOf(current) === traceIdOf(own) ? current : own;
}
