import { Injectable } from '@nestjs/common';
import { JobsLogger } from '../jobs-logger.js';
import type { CommittedJob } from './committed-job.js';

/** A line of the log for each job that fails, whoever ended it. What a node said about itself is the job's own matter. */
@Injectable()
export class FailedJobLog {
  constructor(private readonly log: JobsLogger) {}

  /** Subscribed to what is committed here. */
  onCommitted({ jobId, events }: CommittedJob): void {
    for (const { event } of events) {
      if (event.type !== 'JobFailed') continue;
      const { code, nodeId, classType } = event.data.error;
      this.log.info(`job failed: ${code}`, { job_id: jobId, code, node_id: nodeId, class_type: classType });
    }
  }
}
