import { Inject, Injectable } from '@nestjs/common';
import { outputContentType, outputFilePath } from '@heddle/assets-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { AssetId, CommittedOutput, JobInput, LeaseKey, OutputUpload, Principal } from '@heddle/contracts-messages';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import type { Readable } from 'node:stream';
import { AssetsDatabase, CommitUnknownError, keep } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../assets-settings.js';
import { receiveBody } from '../receive-body/receive-body.js';
import { StagedBlob } from '../stage-blob/staged-blob.js';
import { SETTLE_BLOB } from '../stage-blob/upload-intent.sql.js';
import type { SettledBlobRow } from '../stage-blob/upload-intent.sql.js';
import { FIND_INPUT, MINT_OUTPUT } from './commit-output.sql.js';
import type { HeldInputRow } from './commit-output.sql.js';

/** One output was over its limit: nothing was stored of it, and another try would end the same way. */
export class OutputTooLargeError extends Error {
  constructor(readonly limitBytes: number) {
    super(`an output is over ${limitBytes} bytes`);
    this.name = 'OutputTooLargeError';
  }
}

/** What a worker does with assets: reads held inputs, stores outputs. Failures are thrown; a retry may be made. */
@Injectable()
export class CommitOutputHandler {
  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
  ) {}

  async handle(lease: LeaseKey & { readonly principal: Principal }, output: OutputUpload): Promise<CommittedOutput> {
    const { accountId } = lease.principal;
    const staged = new StagedBlob(this.database, this.store, accountId, this.settings.uploadLeaseMs);
    try {
      await this.#receive(staged, output.body);
      const facts = staged.facts();
      await staged.finish();
      const assetId = newUuid() as AssetId;
      await this.database.transaction(async (session) => {
        const settled = [staged.key, facts.hash, facts.sizeBytes];
        const [blob] = await session.query<SettledBlobRow>(SETTLE_BLOB, settled);
        if (blob === undefined) throw new Error('the lease of an output was over before its bytes were committed');
        await session.query(MINT_OUTPUT, [
          assetId,
          accountId,
          lease.principal.deploymentId,
          facts.hash,
          facts.sizeBytes,
          outputContentType(output.contentType),
          outputFilePath(output.name),
          output.expiresAt,
          lease.jobId,
          lease.fence,
          Buffer.from(output.key),
          staged.key,
          blob.object_key,
        ]);
        return keep(null);
      });
      staged.release();
      return { assetId, ...facts };
    } catch (error) {
      if (error instanceof CommitUnknownError) staged.release();
      else await staged.discard();
      throw error;
    }
  }

  /** The bytes of an input that is held under the job. */
  async openInput(lease: LeaseKey, input: JobInput): Promise<Readable> {
    const held = [lease.jobId, input.assetId, input.hash];
    const [row] = await this.database.query<HeldInputRow>(FIND_INPUT, held);
    if (row === undefined) throw new Error(`the input ${input.assetId} is not held under the job`);
    if (row.damaged) throw new Error(`the stored bytes of the input ${input.assetId} are damaged`);
    return this.store.read(row.object_key);
  }

  async #receive(staged: StagedBlob, body: Readable): Promise<void> {
    let received = 0;
    const ending = await receiveBody(
      body,
      (chunk) => {
        received += chunk.length;
        return received > this.settings.outputBytes ? 'stop' : staged.take(chunk);
      },
      null,
    );
    if (ending.kind === 'stopped') throw new OutputTooLargeError(this.settings.outputBytes);
    if (ending.kind === 'failed' || ending.kind === 'broken') throw ending.error;
  }
}
