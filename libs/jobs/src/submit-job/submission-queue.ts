import { Injectable } from '@nestjs/common';
import { GroupCommit } from '../group-commit/group-commit.js';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { JobsSettings } from '../settings.js';
import { SubmissionBatch } from './submission-batch.js';
import type { BatchVerdict } from './submission-batch.js';
import type { SubmissionItem } from './submission-statement.js';

/**
 * Collects submissions into batches, one in flight at a time. Equal keys may share a batch: they are decided in order,
 * so the second is refused if the first was created, and attempted otherwise (api-v2, Idempotency rules 2 and 3).
 */
@Injectable()
export class SubmissionQueue {
  readonly #group: GroupCommit<SubmissionItem, BatchVerdict>;

  constructor(batch: SubmissionBatch, settings: JobsSettings, metrics: JobsMetrics) {
    const write = async (items: readonly SubmissionItem[]): Promise<readonly BatchVerdict[]> => {
      metrics.submissionBatch(items.length);
      return await batch.write(items);
    };
    this.#group = new GroupCommit(write, { batchSize: settings.batchSize, inFlight: 1 });
  }

  /** No other submission is in progress: the next one is sent alone. */
  get isIdle(): boolean {
    return this.#group.isIdle;
  }

  async submit(item: SubmissionItem): Promise<BatchVerdict> {
    return await this.#group.add(item);
  }
}
