import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import { evolve, initial } from '@heddle/jobs-domain';
import type { JobEvent, JobState } from '@heddle/jobs-domain';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { describe, expect, it } from 'vitest';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { JobsMetrics } from './jobs-metrics.js';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** Returns the commits that subscribers see if these events are committed in sequence, a second apart. */
function commits(events: readonly JobEvent[]): readonly CommittedJob[] {
  const ids = { jobId: newUuid() as JobId, accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId };
  let before: JobState = initial;
  return events.map((event, index) => {
    const recordedAt = at(index);
    const after = evolve(before, { event, recordedAt, workerSequence: index + 1 });
    const stored = { eventId: newUuid(), event, version: index + 1, fence: 1, recordedAt, workerSequence: null };
    const committed = { ...ids, before, after, events: [{ ...stored, status: 'running' as const, state: after }] };
    before = after;
    return committed;
  });
}

const leased = (fence: number): JobEvent => ({
  type: 'JobLeased',
  data: { attempt: fence, fence, workerId: 'w', environment: 'e', maxRuntimeMs: 1e6 },
});
const lost: JobEvent = {
  type: 'LeaseLost',
  data: { reason: 'expired', detail: null, attemptSpent: true, progress: null },
};
const finished = (classType: string): JobEvent => ({
  type: 'NodeFinished',
  data: { nodeId: '1', classType, startedAt: at(0), endedAt: at(2), cached: false },
});
const failed = (code: 'worker_lost' | 'node_execution_error'): JobEvent => ({
  type: 'JobFailed',
  data: { error: { code, message: '', nodeId: null, classType: null, traceback: null }, progress: null, nodeRun: null },
});

describe('what the jobs service counts', () => {
  it('is the life of a job: attempts by reason, lost leases, times, and whose fault its end was', async () => {
    const registry = new MetricsRegistry();
    const metrics = new JobsMetrics(registry);
    const notified = [
      ...commits([submittedJob, leased(1), lost, leased(2), finished('KSampler'), failed('node_execution_error')]),
      ...commits([submittedJob, leased(1), failed('worker_lost')]),
    ];
    for (const committed of notified) metrics.onCommitted(committed);
    metrics.leaseExpired();
    metrics.dropped('stale_fence');
    const text = await registry.metrics();
    for (const line of [
      'heddle_jobs_submitted_total 2',
      'heddle_job_attempts_total{reason="first"} 2',
      'heddle_job_attempts_total{reason="again"} 1',
      'heddle_leases_lost_total{reason="expired"} 1',
      'heddle_leases_expired_total 1',
      'heddle_jobs_ended_total{status="failed"} 2',
      'heddle_jobs_failed_total{code="node_execution_error",error_class="user"} 1',
      'heddle_jobs_failed_total{code="worker_lost",error_class="platform"} 1',
      'heddle_node_run_seconds_sum{class="KSampler"} 2',
      'heddle_job_queue_seconds_count 3',
      'heddle_job_run_seconds_count 2',
      'heddle_fenced_writes_total 1',
      'heddle_worker_events_dropped_total{reason="stale_fence"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  it('tells nodes that run for hours apart', async () => {
    const registry = new MetricsRegistry();
    const metrics = new JobsMetrics(registry);
    for (const committed of commits([submittedJob, leased(1), finished('KSampler')])) metrics.onCommitted(committed);
    const text = await registry.metrics();
    for (const le of [3_600, 14_400])
      expect(text).toContain(`heddle_node_run_seconds_bucket{le="${le}",class="KSampler"} 1`);
  });

  it('has a bounded number of node classes, whatever is submitted', async () => {
    const registry = new MetricsRegistry();
    const metrics = new JobsMetrics(registry);
    for (let n = 0; n < 500; n += 1) {
      for (const committed of commits([submittedJob, leased(1), finished(`Class${n}`)])) metrics.onCommitted(committed);
    }
    for (const committed of commits([submittedJob, leased(1), finished('"\n')])) metrics.onCommitted(committed);
    const counts = (await registry.metrics()).match(/^heddle_node_run_seconds_count\{.*/gm) ?? [];
    expect(counts).toHaveLength(49);
    expect(counts).toContain('heddle_node_run_seconds_count{class="other"} 453');
  });
});
