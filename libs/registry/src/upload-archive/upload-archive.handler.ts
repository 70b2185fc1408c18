import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { BLOB_STORE, newBlobKey } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { RejectionError } from '@heddle/platform-http';
import { upload, uploadRejection } from '@heddle/registry-domain';
import type { UploadRejection, VersionState } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import type { Refusals } from '../commit-events/accepted-events.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { registryFailpoint } from '../failpoints.js';
import { VersionReads } from '../find-versions/version-reads.js';
import { refused } from '../refused.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { RegistrySettings } from '../settings.js';
import type { UploadPermit } from '../sign-versions/upload-url.js';
import { VersionSigner } from '../sign-versions/version-signer.js';
import { JudgeTurns } from './judge-turns.js';
import { BodyCutError, receiveFile, SlowBodyError, TooManyBytesError } from './received-file.js';
import type { ReceivedFile } from './received-file.js';

const beginSql = 'insert into registry.upload (blob) values ($1)';
const endSql = 'delete from registry.upload where blob = $1';
const signSql = 'update registry.version set signature = $2 where version_id = $1';

/** The process stood still for so long that its upload was taken for a leftover: nobody else removes its bytes. */
class SweptUploadError extends Error {
  override readonly message = 'the bytes of an upload were swept before its end';
}

/** A body that brings the bytes of a version. */
export interface ArchiveUpload {
  readonly body: Readable;
  /** Its Content-Length; null where there is none. */
  readonly announced: number | null;
  readonly left: AbortSignal;
}

/** The bytes of a version. The first complete upload wins; refused bytes leave nothing, and the version stays open. */
@Injectable()
export class UploadArchiveHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly versions: VersionReads,
    private readonly settings: RegistrySettings,
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
  ) {}

  @Inject(BLOB_STORE) private readonly store!: BlobStore;
  @Inject(VersionSigner) private readonly signer!: VersionSigner;
  @Inject(JudgeTurns) private readonly turns!: JudgeTurns;

  /** `left`: that the client has left, and waits for no answer. What is not kept by then is not kept at all. */
  async handle(permit: UploadPermit, { body, announced, left }: ArchiveUpload): Promise<void> {
    const limit = this.settings.archiveBytes;
    if (announced !== null && announced > limit) throw refused('payload_too_large', { case: 'archive', limit });
    const record = await this.versions.byId(permit.versionId);
    if (record === null) throw refused('invalid_signature', { case: 'upload' });
    assertOpen(record.state, permit, record);
    const file = await this.#receive(body);
    try {
      registryFailpoint('registry.upload.received');
      const format = await this.#judge(file, record.state, left);
      registryFailpoint('registry.upload.judged');
      await this.#keep(permit, record, file, format);
    } finally {
      await rm(file.path, { force: true });
    }
  }

  async #receive(body: Readable): Promise<ReceivedFile> {
    try {
      return await receiveFile(body, this.settings);
    } catch (error) {
      const limit = this.settings.archiveBytes;
      if (error instanceof TooManyBytesError) throw refused('payload_too_large', { case: 'archive', limit });
      if (error instanceof SlowBodyError) throw refused('request_timeout', { case: 'slow_upload' });
      if (error instanceof BodyCutError) throw refused('invalid_request', { case: 'ended_early' });
      throw error;
    }
  }

  async #judge(file: ReceivedFile, state: VersionState, left: AbortSignal): Promise<'zip' | 'tar.gz'> {
    try {
      const format = await this.turns.run(() => judged(file, state, left), left);
      left.throwIfAborted();
      return format;
    } catch (error) {
      if (!left.aborted || error instanceof RejectionError) throw error;
      throw refused('invalid_request', { case: 'ended_early' });
    }
  }

  async #keep(
    permit: UploadPermit,
    record: VersionRecord,
    file: ReceivedFile,
    format: 'zip' | 'tar.gz',
  ): Promise<void> {
    const { node_id: nodeId, publisher_id: publisherId } = record;
    const { version } = record.state;
    const blob = newBlobKey();
    await this.pool.query(beginSql, [blob]);
    await this.#store(blob, file);
    registryFailpoint('registry.upload.stored');
    try {
      await this.log.commit(async (unit) => {
        const publisher = (await unit.publisher(publisherId, 'share'))!;
        const node = (await unit.node(nodeId))!;
        const stored = (await unit.version(nodeId, version))!;
        assertOpen(stored.state, permit, {
          ...record,
          publisher_status: publisher.state.status,
          node_status: node.state.status,
        });
        const { sha256, sizeBytes: size_bytes } = file;
        const data = { actor: 'heddle', sha256, size_bytes, format, blob };
        const events = acceptedEvents(upload(stored.state, permit.upload, data), UPLOAD_REFUSALS);
        await unit.changeVersion(stored, events);
        const signature = JSON.stringify(this.signer.sign(nodeId, version, sha256));
        await unit.client.query(signSql, [stored.streamId, signature]);
        const { rowCount } = await unit.client.query(endSql, [blob]);
        if (rowCount === 0) throw new SweptUploadError();
      });
    } catch (error) {
      // Of any other error nobody knows whether it came after the commit: the sweep of uploads finds out.
      if (error instanceof RejectionError || error instanceof SweptUploadError) await this.#forget(blob);
      throw error;
    }
  }

  async #forget(blob: BlobKey): Promise<void> {
    await this.store.delete(blob);
    await this.pool.query(endSql, [blob]);
  }

  async #store(blob: BlobKey, { path }: ReceivedFile): Promise<void> {
    const writer = await this.store.write(blob);
    try {
      for await (const chunk of createReadStream(path)) await writer.write(chunk as Buffer);
      await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }
}

/** A URL that is replaced, or whose version was deleted, is answered like a changed one. */
const UPLOAD_REFUSALS: Refusals<UploadRejection> = {
  replaced: () => refused('invalid_signature', { case: 'upload' }),
  not_pending: () => refused('invalid_signature', { case: 'upload' }),
  already_uploaded: () => refused('already_uploaded', { case: 'upload' }),
};

/** Throws unless the bytes of the version may come with this URL. A replaced URL says nothing of a ban. */
function assertOpen(state: VersionState, { upload: number }: UploadPermit, record: VersionRecord): void {
  const rejection = uploadRejection(state, number);
  if (rejection === 'replaced') throw UPLOAD_REFUSALS[rejection]();
  const { node_id: id, publisher_id: publisher, node_status, publisher_status } = record;
  if (publisher_status === 'banned')
    throw refused('publisher_banned', { case: 'publisher', id: publisher, reason: '' });
  if (node_status === 'banned') throw refused('node_banned', { case: 'node', id, reason: '' });
  if (node_status === 'deleted') throw refused('invalid_signature', { case: 'upload' });
  if (rejection !== null) throw UPLOAD_REFUSALS[rejection]();
}

/** The format of an acceptable archive. */
async function judged(
  { path, sha256 }: ReceivedFile,
  { wantedSha256 }: VersionState,
  left: AbortSignal,
): Promise<'zip' | 'tar.gz'> {
  if (wantedSha256 !== '' && wantedSha256 !== sha256) {
    throw refused('invalid_archive', { case: 'digest', expected: wantedSha256, actual: sha256 });
  }
  const { judgeArchive } = await import('@heddle/registry-inspection');
  const verdict = await judgeArchive(path, undefined, left);
  if (!verdict.accepted) throw refused('invalid_archive', { case: 'archive', problem: verdict.problem });
  return verdict.format;
}
