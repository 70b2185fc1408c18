import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import type { CommittedJob } from './committed-job.js';

/** Logs each failed job, also if a deadline ended it. Leaves out texts of nodes, which may contain the client's data. */
@Injectable()
export class FailedJobLog {
  constructor(private readonly log: BackgroundLogger) {}

  /** Subscribed to what is committed here. */
  onCommitted({ jobId, events }: CommittedJob): void {
    for (const { event } of events) {
      if (event.type !== 'JobFailed') continue;
      const { code, nodeId, classType } = event.data.error;
      this.log.info(`job failed: ${code}`, { job_id: jobId, code, node_id: nodeId, class_type: classType });
    }
  }
}
