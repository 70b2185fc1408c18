import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { RejectionError } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { registryFailpoint } from '../failpoints.js';
import { VersionReads } from '../find-versions/version-reads.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { RegistrySettings } from '../settings.js';
import type { UploadPermit } from '../sign-versions/upload-url.js';
import { ArchiveKeeper } from './archive-keeper.js';
import { JudgeTurns } from './judge-turns.js';
import { assertOpen } from './open-version.js';
import { BodyCutError, receiveFile, SlowBodyError, TooManyBytesError } from './received-file.js';
import type { ReceivedFile } from './received-file.js';

/** A body that brings the bytes of a version. */
export interface ArchiveUpload {
  readonly body: Readable;
  /** Its Content-Length; null where there is none. */
  readonly announced: number | null;
  /** It says that it is a part of the archive. */
  readonly isPart: boolean;
  readonly left: AbortSignal;
}

/** The bytes of a version. The first complete upload wins; refused bytes leave nothing, and the version stays open. */
@Injectable()
export class UploadArchiveHandler {
  constructor(
    private readonly versions: VersionReads,
    private readonly settings: RegistrySettings,
    private readonly turns: JudgeTurns,
    private readonly archives: ArchiveKeeper,
  ) {}

  /** `left`: that the client has left, and waits for no answer. What is not kept by then is not kept at all. */
  async handle(permit: UploadPermit, { body, announced, isPart, left }: ArchiveUpload): Promise<void> {
    const limit = this.settings.archiveBytes;
    // RFC 9110, 14.4: taken as the whole, it would be kept for ever.
    if (isPart) throw registryRefusal('invalid_request', { case: 'part' });
    if (announced !== null && announced > limit) throw registryRefusal('payload_too_large', { case: 'archive', limit });
    const record = await this.versions.byId(permit.versionId);
    if (record === null) throw registryRefusal('invalid_signature', { case: 'upload' });
    assertOpen(record.state, permit, record);
    const file = await this.#receive(body);
    try {
      registryFailpoint('registry.upload.received');
      const format = await this.#judge(file, record.state, left);
      registryFailpoint('registry.upload.judged');
      await this.archives.keep(permit, record, { file, format });
    } finally {
      await rm(file.path, { force: true });
    }
  }

  async #receive(body: Readable): Promise<ReceivedFile> {
    try {
      return await receiveFile(body, this.settings);
    } catch (error) {
      const limit = this.settings.archiveBytes;
      if (error instanceof TooManyBytesError) throw registryRefusal('payload_too_large', { case: 'archive', limit });
      if (error instanceof SlowBodyError) throw registryRefusal('request_timeout', { case: 'slow_upload' });
      if (error instanceof BodyCutError) throw registryRefusal('invalid_request', { case: 'ended_early' });
      throw error;
    }
  }

  async #judge(file: ReceivedFile, state: VersionRecord['state'], left: AbortSignal): Promise<'zip' | 'tar.gz'> {
    try {
      const format = await this.turns.run(() => judged(file, state, left), left);
      left.throwIfAborted();
      return format;
    } catch (error) {
      if (!left.aborted || error instanceof RejectionError) throw error;
      throw registryRefusal('invalid_request', { case: 'ended_early' });
    }
  }
}

/** The format of an acceptable archive. */
async function judged(
  { path, sha256 }: ReceivedFile,
  { wantedSha256 }: VersionRecord['state'],
  left: AbortSignal,
): Promise<'zip' | 'tar.gz'> {
  if (wantedSha256 !== '' && wantedSha256 !== sha256) {
    throw registryRefusal('invalid_archive', { case: 'digest', expected: wantedSha256, actual: sha256 });
  }
  const { judgeArchive } = await import('@heddle/registry-inspection');
  const verdict = await judgeArchive(path, undefined, left);
  if (!verdict.accepted) throw registryRefusal('invalid_archive', { case: 'archive', problem: verdict.problem });
  return verdict.format;
}
