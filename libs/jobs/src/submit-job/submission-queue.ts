import { GroupCommit } from '../group-commit/group-commit.js';
import type { JobsMetrics } from '../jobs-metrics.js';
import type { JobsSettings } from '../jobs-settings.js';
import type { SubmissionBatch } from './submission-batch.js';
import type { SubmissionVerdict } from './submission-batch.js';
import type { SubmissionItem } from './submission-statement.js';

/**
 * Gathers submissions into batches. Equal keys never share a batch: the second waits for the verdict of the first, is
 * refused with it if the key is held by then, and is tried otherwise (api-v2, Idempotency rules 2 and 3).
 */
export class SubmissionQueue {
  readonly #group: GroupCommit<SubmissionItem, SubmissionVerdict>;
  readonly #keys = new Map<string, Promise<SubmissionVerdict | null>>();

  constructor(batch: SubmissionBatch, settings: JobsSettings, metrics: JobsMetrics) {
    const write = async (items: readonly SubmissionItem[]): Promise<readonly SubmissionVerdict[]> => {
      metrics.submissionBatch(items.length);
      return await batch.write(items);
    };
    this.#group = new GroupCommit(write, { batchSize: settings.batchSize, inFlight: 1 });
  }

  async submit(item: SubmissionItem): Promise<SubmissionVerdict> {
    if (item.key === null) return await this.#group.add(item);
    const claim = `${item.accountId} ${item.key}`;
    for (let rival = this.#keys.get(claim); rival !== undefined; rival = this.#keys.get(claim)) {
      const verdict = await rival;
      if (verdict?.kind === 'created' || verdict?.kind === 'key_reuse') return { kind: 'key_reuse' };
    }
    const verdict = this.#group.add(item);
    const settled = verdict.then(
      (value) => value,
      () => null,
    );
    this.#keys.set(claim, settled);
    try {
      return await verdict;
    } finally {
      this.#keys.delete(claim);
    }
  }
}
