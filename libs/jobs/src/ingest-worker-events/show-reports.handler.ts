import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import { UndecodableEvent } from '@heddle/jobs-domain';
import type { Principal, VolatileReport, WorkerIdentity } from '@heddle/contracts-messages';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { LatestProgress } from './latest-progress.js';
import { keepable } from './report-step.js';
import { ProgressPublisher } from './progress-publisher.js';

/** Forwards progress and previews to open streams. Nothing durable waits for them. */
@Injectable()
export class ShowReportsHandler {
  constructor(
    private readonly latestProgress: LatestProgress,
    private readonly publisher: ProgressPublisher,
    private readonly metrics: JobsMetrics,
    private readonly log: BackgroundLogger,
  ) {}

  /** `owner`: owner of the job by the lease's row; null if the lease is not the worker's. Never rejects. */
  async handle({ workerId }: WorkerIdentity, owner: Principal | null, report: VolatileReport): Promise<void> {
    if (owner === null) return this.metrics.dropped('stale_fence');
    try {
      const head = { ...owner, workerId, jobId: report.jobId, fence: report.fence, sequence: report.sequence };
      if (report.kind === 'progress') {
        const { progress } = keepable(report);
        this.publisher.add({ ...head, kind: 'progress', progress });
        await this.latestProgress.keep({ ...report, progress });
      } else {
        const { nodeId, contentType, data } = report;
        const dataBase64 = Buffer.from(data).toString('base64');
        this.publisher.add({ ...head, kind: 'preview', nodeId, contentType, dataBase64 });
      }
    } catch (error) {
      if (error instanceof UndecodableEvent || error instanceof TypeError) this.metrics.dropped('malformed');
      else this.log.error('a progress report was not stored', error);
    }
  }
}
