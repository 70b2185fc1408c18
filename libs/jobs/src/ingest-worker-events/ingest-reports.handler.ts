import { Injectable } from '@nestjs/common';
import { isLeased, UndecodableEvent } from '@heddle/jobs-domain';
import type { JobRejection } from '@heddle/jobs-domain';
import type { DurableReport, JobId, ReportRefusal, ReportVerdict, WorkerIdentity } from '@heddle/contracts-messages';
import { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import type { Step } from '../commit-job-events/change-plan.js';
import { jobsFailpoint } from '../failpoints.js';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { AttemptStarts } from '../lease-job/attempt-starts.js';
import { namesLease } from '../lease-job/lease-name.js';
import { stepOf } from './report-step.js';
import { StoredReports } from './stored-reports.js';

/** Refusals that workers see: every rejection except an unknown job means that the lease is no longer theirs. */
const REFUSALS: Readonly<Record<JobRejection, ReportRefusal>> = {
  not_found: 'not_found',
  stale_fence: 'stale_fence',
  job_exists: 'stale_fence',
  not_queued: 'stale_fence',
  other_revision: 'stale_fence',
  not_canceling: 'stale_fence',
};

/**
 * Stores workers' reports. A worker may report only on its own leases of its own deployment: the job's rows name
 * both.
 */
@Injectable()
export class IngestReportsHandler {
  constructor(
    private readonly commit: CommitJobEventsHandler,
    private readonly starts: AttemptStarts,
    private readonly stored: StoredReports,
    private readonly metrics: JobsMetrics,
  ) {}

  /**
   * Reports on any jobs; those of one job in order. Resolves after the commit; rejects if the database is unreachable.
   */
  async handle(worker: WorkerIdentity, reports: readonly DurableReport[]): Promise<readonly ReportVerdict[]> {
    const verdicts: ReportVerdict[] = reports.map(() => 'malformed');
    const byJob = new Map<JobId, { readonly at: number; readonly report: DurableReport; readonly step: Step }[]>();
    reports.forEach((report, at) => {
      const step = this.#readable(worker, report);
      if (step !== null) byJob.set(report.jobId, [...(byJob.get(report.jobId) ?? []), { at, report, step }]);
    });
    await Promise.all(
      [...byJob].map(async ([jobId, those]) => {
        // Before the commit: an outcome in the same batch removes the queue row.
        const begun = await Promise.all(those.map(async ({ report }) => await this.#hasBegun(worker, report)));
        const steps = those.map(({ step }) => step);
        const rejections = await this.#commit(worker, jobId, steps);
        await Promise.all(
          those.map(async ({ at, report }, index) => {
            const verdict = begun[index] === true ? rejections[index]! : 'stale_fence';
            const isRepeated = verdict === 'stale_fence' && (await this.stored.has(worker, report));
            verdicts[at] = isRepeated ? 'stored' : verdict;
          }),
        );
      }),
    );
    for (const verdict of verdicts) if (verdict !== 'stored') this.refused(verdict);
    return verdicts;
  }

  /** Counts refusals by reason. */
  refused(reason: ReportRefusal): void {
    this.metrics.dropped(reason);
  }

  /** `started` has no event: the queue row records it. False: the lease is no longer this worker's. */
  async #hasBegun(worker: WorkerIdentity, report: DurableReport): Promise<boolean> {
    return report.kind !== 'started' || (await this.starts.markStarted(report, worker));
  }

  async #commit(
    { deploymentId }: WorkerIdentity,
    jobId: JobId,
    steps: readonly Step[],
  ): Promise<readonly ReportVerdict[]> {
    jobsFailpoint('jobs.ingest.before-commit');
    const { rejections } = await this.commit.handle(jobId, steps, deploymentId);
    jobsFailpoint('jobs.ingest.after-commit');
    return rejections.map((rejection) => (rejection === null ? 'stored' : REFUSALS[rejection]));
  }

  /** A malformed report must not block the others. */
  #readable({ workerId }: WorkerIdentity, report: DurableReport): Step | null {
    const { sequence } = report;
    if (!namesLease(report) || !Number.isSafeInteger(sequence) || sequence < 1) return null;
    try {
      const { decide, workerSequence } = stepOf(report);
      return {
        decide: (state) => {
          const isOthers = isLeased(state) && state.lease.workerId !== workerId;
          return isOthers ? { ok: false, rejection: 'stale_fence' } : decide(state);
        },
        workerSequence,
        correlation: workerId,
      };
    } catch (error) {
      if (error instanceof UndecodableEvent || error instanceof TypeError) return null;
      throw error;
    }
  }
}
