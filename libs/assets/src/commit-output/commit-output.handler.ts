import { Inject, Injectable } from '@nestjs/common';
import { outputContentType, outputFilePath } from '@heddle/assets-domain';
import { InputBlockedError, newUuid } from '@heddle/contracts-messages';
import type { AssetId, CommittedOutput, LeaseHolder, LeaseKey, OutputUpload } from '@heddle/contracts-messages';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import type { Readable } from 'node:stream';
import { AssetsDatabase, CommitUnknownError } from '../assets-database/assets-database.js';
import { wasMinted } from '../assets-database/was-minted.js';
import { AssetsSettings } from '../settings.js';
import { receiveBody } from '../receive-body/receive-body.js';
import { StagedBlob } from '../stage-blob/staged-blob.js';
import { COMMIT_OUTPUT, FIND_BLOCKED_INPUTS, FIND_INPUT } from './commit-output.sql.js';
import type { CommittedOutputRow, HeldInputRow } from './commit-output.sql.js';

/** One output exceeds its limit: nothing of it was stored, and a retry would fail the same way. */
class OutputTooLargeError extends Error {
  constructor(readonly limitBytes: number) {
    super(`an output is larger than ${limitBytes} bytes`);
    this.name = 'OutputTooLargeError';
  }
}

/** A worker's calls to assets: reads held inputs, stores outputs. Failures are thrown; the caller may retry. */
@Injectable()
export class CommitOutputHandler {
  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
  ) {}

  async handle(lease: LeaseKey, holder: LeaseHolder, output: OutputUpload): Promise<CommittedOutput> {
    const intent = { accountId: holder.accountId, leaseMs: this.settings.uploadLeaseMs };
    const staged = new StagedBlob(this.database, this.store, intent);
    try {
      await this.#receive(staged, output.body);
      const facts = staged.facts();
      await staged.finish();
      const committed = { assetId: newUuid() as AssetId, ...facts };
      await this.#commit([
        staged.key,
        facts.hash,
        facts.sizeBytes,
        committed.assetId,
        holder.accountId,
        holder.deploymentId,
        outputContentType(output.contentType),
        outputFilePath(output.name),
        holder.jobExpiresAt,
        lease.jobId,
        lease.fence,
        Buffer.from(output.key),
      ]).catch(async (error: unknown) => {
        if (!(error instanceof CommitUnknownError)) throw error;
        // If the output was minted, the worker must not retry: it would mint a second one.
        if (!(await wasMinted(this.database, committed.assetId, holder.accountId))) throw error;
      });
      staged.release();
      return committed;
    } catch (error) {
      if (error instanceof CommitUnknownError) staged.release();
      else await staged.discard();
      throw error;
    }
  }

  /** The bytes of an asset that the job holds; any other asset of its account is refused. */
  async openInput({ jobId }: LeaseKey, { accountId }: LeaseHolder, assetId: AssetId): Promise<Readable> {
    const held = [jobId, assetId, accountId];
    const [row] = await this.database.query<HeldInputRow>(FIND_INPUT, held);
    if (row === undefined) throw new Error(`the input ${assetId} is not held under the job`);
    if (row.blocked) throw new InputBlockedError(assetId);
    if (row.damaged) throw new Error(`the stored bytes of the input ${assetId} are damaged`);
    return this.store.read(row.object_key);
  }

  async blockedInputs({ jobId }: LeaseKey, { accountId }: LeaseHolder): Promise<readonly AssetId[]> {
    const rows = await this.database.query<{ readonly asset_id: AssetId }>(FIND_BLOCKED_INPUTS, [jobId, accountId]);
    return rows.map((row) => row.asset_id);
  }

  /** @throws CommitUnknownError if the connection was lost before the answer. */
  async #commit(values: readonly unknown[]): Promise<void> {
    const [row] = await this.database.commit<CommittedOutputRow>(COMMIT_OUTPUT, values);
    if (row!.settled === null) throw new Error('the intent of an output was swept before its bytes were committed');
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
