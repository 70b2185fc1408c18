import type { Readable } from 'node:stream';
import type {
  CommittedOutput,
  JobInput,
  LeaseKey,
  OutputUpload,
  Principal,
  WorkerAssetsPort,
} from '@heddle/contracts-messages';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { CALLS } from '../internal-calls.js';

/** For the largest output over a slow line; a service that takes no bytes is given up long before. */
const OUTPUT_MS = 3_600_000;

/** The assets service in another process, as a worker sees it. */
export class RemoteWorkerAssets implements WorkerAssetsPort {
  constructor(private readonly client: ServiceClient) {}

  async openInput({ jobId, fence }: LeaseKey, input: JobInput): Promise<Readable> {
    const head = { lease: { jobId, fence }, input };
    return (await this.client.download({ path: CALLS.workerAssets.openInput, head })).body;
  }

  async commitOutput(
    { jobId, fence, principal }: LeaseKey & { readonly principal: Principal },
    { body, ...output }: OutputUpload,
  ): Promise<CommittedOutput> {
    const head = { principal, lease: { jobId, fence }, output };
    const { commitOutput: path } = CALLS.workerAssets;
    return (await this.client.upload({ path, head, body, deadlineMs: OUTPUT_MS })).head as CommittedOutput;
  }
}
