import type { Readable } from 'node:stream';
import type { AssetId, CommittedOutput, OutputUpload, WorkerAssetsPort, WorkerLease } from '@heddle/contracts-messages';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';

/** For the largest output over a slow line; a service that takes no bytes is given up long before. */
const OUTPUT_MS = 3_600_000;

/** The assets service in another process, as a worker sees it. */
export class RemoteWorkerAssets implements WorkerAssetsPort {
  constructor(private readonly client: ServiceClient) {}

  async openInput({ jobId, fence, workerId }: WorkerLease, assetId: AssetId): Promise<Readable> {
    const head = { lease: { jobId, fence }, workerId, assetId };
    return (await this.client.download({ path: CALLS.workerAssets.openInput, head })).body;
  }

  async commitOutput(
    { jobId, fence, workerId }: WorkerLease,
    { body, ...output }: OutputUpload,
  ): Promise<CommittedOutput> {
    const head = { lease: { jobId, fence }, workerId, output };
    const { commitOutput: path } = CALLS.workerAssets;
    return (await this.client.upload({ path, head, body, deadlineMs: OUTPUT_MS })).head as CommittedOutput;
  }
}
