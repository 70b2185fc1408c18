import { UndecodableEvent } from '@heddle/jobs-domain';
import type { DurableWorkerEvent, JobId, ProgressReported, WorkerEvent } from '@heddle/contracts-messages';
import type { CommitJobEventsHandler } from '../commit-job-events/commit-job-events.handler.js';
import type { Step } from '../commit-job-events/change-plan.js';
import { jobsFailpoint } from '../failpoints.js';
import type { JobsMetrics } from '../jobs-metrics.js';
import type { LatestProgress } from './latest-progress.js';
import type { ParkedOutcomes } from './parked-outcomes.js';
import { keepable, stepOf } from './report-step.js';

/**
 * Everything a worker reports, by the bus or by the direct call: one handling, one deduplication. Stale fences and
 * unknown jobs are counted and dropped; an outcome that overtook an output waits for it.
 */
export class IngestWorkerEventsHandler {
  constructor(
    private readonly commit: CommitJobEventsHandler,
    private readonly latestProgress: LatestProgress,
    private readonly parked: ParkedOutcomes,
    private readonly metrics: JobsMetrics,
  ) {}

  /** Resolves when all of it is durable; gives the jobs whose outcome still waits for an output. */
  async handle(reports: readonly WorkerEvent[]): Promise<readonly JobId[]> {
    const durable = new Map<JobId, DurableWorkerEvent[]>();
    const progress: Promise<void>[] = [];
    for (const report of reports) {
      if (report.kind === 'preview') continue;
      if (report.kind === 'progress') progress.push(this.#keep(report));
      else durable.set(report.jobId, [...(durable.get(report.jobId) ?? []), report]);
    }
    const waiting = await Promise.all([...durable].map(async ([jobId, those]) => await this.#ingest(jobId, those)));
    await Promise.all(progress);
    return waiting.filter((jobId) => jobId !== null);
  }

  /** Outcomes that waited: the output that they miss may have been committed by another replica. */
  async retryParked(): Promise<void> {
    await Promise.all(this.parked.jobs().map(async (jobId) => await this.#ingest(jobId, [])));
  }

  async #ingest(jobId: JobId, arrived: readonly DurableWorkerEvent[]): Promise<JobId | null> {
    const parked = this.parked.take(jobId);
    const reports = [...arrived, ...(parked === null ? [] : [parked])].sort(bySequence);
    const steps: Step[] = [];
    const sources: DurableWorkerEvent[] = [];
    for (const report of reports) {
      const step = this.#orDropped(() => stepOf(report));
      if (step === null) continue;
      steps.push(step);
      sources.push(report);
    }
    if (steps.length === 0) return null;
    jobsFailpoint('jobs.ingest.before-commit');
    const { rejections } = await this.commit.handle(jobId, steps);
    jobsFailpoint('jobs.ingest.after-commit');
    let waiting: JobId | null = null;
    rejections.forEach((rejection, index) => {
      const report = sources[index]!;
      if (rejection === 'outputs_missing' && report.kind === 'outcome') {
        this.parked.park(report);
        waiting = jobId;
      } else if (rejection !== null) {
        this.metrics.dropped(rejection);
      }
    });
    return waiting;
  }

  async #keep(report: ProgressReported): Promise<void> {
    const kept = this.#orDropped(() => keepable(report));
    if (kept !== null) await this.latestProgress.keep(kept);
  }

  /** A report without the shape of its kind is no reason to stop the others. */
  #orDropped<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UndecodableEvent || error instanceof TypeError)) throw error;
      this.metrics.dropped('malformed');
      return null;
    }
  }
}

function bySequence(one: DurableWorkerEvent, other: DurableWorkerEvent): number {
  return one.fence - other.fence || one.sequence - other.sequence;
}
