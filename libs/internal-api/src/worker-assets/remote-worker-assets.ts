import type { Readable } from 'node:stream';
import type { AssetId, CommittedOutput, OutputUpload, WorkerAssetsPort, WorkerLease } from '@heddle/contracts-messages';
import type { BytesClient } from '@heddle/platform-service-calls/bytes';
import { CallFailedError } from '@heddle/platform-service-calls';
import { WORKER_BYTES } from '../assets/byte-paths.js';

/** Enough for the largest output over a slow network. A service that accepts no bytes is given up much earlier. */
const OUTPUT_MS = 3_600_000;

/** Connects a worker to the assets service in another process. */
export class RemoteWorkerAssets implements WorkerAssetsPort {
  constructor(private readonly bytes: BytesClient) {}

  async openInput({ jobId, fence, workerId }: WorkerLease, assetId: AssetId): Promise<Readable> {
    const head = { lease: { jobId, fence }, workerId, assetId };
    return (await this.bytes.download({ path: WORKER_BYTES.openInput, head })).body;
  }

  async blockedInputs({ jobId, fence, workerId }: WorkerLease): Promise<readonly AssetId[]> {
    const head = { lease: { jobId, fence }, workerId };
    try {
      const { head: blocked, body } = await this.bytes.download({ path: WORKER_BYTES.blockedInputs, head });
      body.resume();
      return blocked as AssetId[];
    } catch (error) {
      // A service of the build before blocks no inputs.
      if (error instanceof CallFailedError && error.code === 'unknown_call') return [];
      throw error;
    }
  }

  async commitOutput(
    { jobId, fence, workerId }: WorkerLease,
    { body, ...output }: OutputUpload,
  ): Promise<CommittedOutput> {
    const head = { lease: { jobId, fence }, workerId, output };
    const call = { path: WORKER_BYTES.commitOutput, head, body, deadlineMs: OUTPUT_MS };
    return (await this.bytes.upload(call)) as CommittedOutput;
  }
}
