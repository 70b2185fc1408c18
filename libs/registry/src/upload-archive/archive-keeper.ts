import { Inject, Injectable } from '@nestjs/common';
import { BLOB_STORE, newBlobKey } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { RejectionError } from '@heddle/platform-http';
import { upload } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { registryFailpoint } from '../failpoints.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import type { UploadPermit } from '../sign-versions/upload-url.js';
import { VersionSigner } from '../sign-versions/version-signer.js';
import type { ReceivedFile } from './received-file.js';
import { assertOpen, UPLOAD_REFUSALS } from './open-version.js';
import { busyRefusal } from '../refuse-busy/busy-refusal.js';

const beginSql = 'insert into registry.upload (blob) values ($1)';
const endSql = 'delete from registry.upload where blob = $1';
const signSql = 'update registry.version set signature = $2 where version_id = $1';

/** The process stood still for so long that its upload was taken for a leftover: no other process removes its bytes. */
class SweptUploadError extends Error {
  override readonly message = 'the bytes of an upload were swept before its end';
}

/** An acceptable archive of a version. */
interface JudgedArchive {
  readonly file: ReceivedFile;
  readonly format: 'zip' | 'tar.gz';
}

/**
 * Keeps the bytes of a version: object, event and signature. Until the commit, a row says that the object has no owner.
 */
@Injectable()
export class ArchiveKeeper {
  constructor(
    private readonly log: RegistryLog,
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly signer: VersionSigner,
  ) {}

  async keep(permit: UploadPermit, record: VersionRecord, archive: JudgedArchive): Promise<void> {
    const blob = newBlobKey();
    await this.pool.query(beginSql, [blob]);
    await this.store.writeFile(blob, archive.file.path);
    registryFailpoint('registry.upload.stored');
    try {
      await this.#commit(permit, record, archive, blob);
    } catch (error) {
      // After any other error it is unknown whether the commit was made: the sweep of uploads finds out.
      const isUncommitted = error instanceof RejectionError || error instanceof SweptUploadError || isBusy(error);
      if (isUncommitted) await this.#delete(blob);
      throw error;
    }
  }

  async #commit(
    permit: UploadPermit,
    record: VersionRecord,
    { file, format }: JudgedArchive,
    blob: BlobKey,
  ): Promise<void> {
    const { node_id: nodeId, publisher_id: publisherId } = record;
    const { version } = record.state;
    await this.log.commit(async (unit) => {
      const publisher = (await unit.publisher(publisherId, 'share'))!;
      const node = (await unit.node(nodeId))!;
      const stored = (await unit.version(nodeId, version))!;
      const statuses = { publisher_status: publisher.state.status, node_status: node.state.status };
      assertOpen(stored.state, permit, { ...record, ...statuses });
      const { sha256, sizeBytes: size_bytes } = file;
      const data = { actor: 'heddle', sha256, size_bytes, format, blob };
      await unit.changeVersion(stored, acceptedEvents(upload(stored.state, permit.upload, data), UPLOAD_REFUSALS));
      const signature = JSON.stringify(this.signer.sign(nodeId, version, sha256));
      await unit.client.query(signSql, [stored.streamId, signature]);
      const { rowCount } = await unit.client.query(endSql, [blob]);
      if (rowCount === 0) throw new SweptUploadError();
    });
  }

  async #delete(blob: BlobKey): Promise<void> {
    await this.store.delete(blob);
    await this.pool.query(endSql, [blob]);
  }
}

/** The transaction did not begin, or waited in vain for a row. */
function isBusy(error: unknown): boolean {
  return busyRefusal(error) !== null;
}
