import { Injectable } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { renderVersion } from '../render-wire/version-wire.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { UploadUrls } from '../sign-versions/upload-url.js';
import { VersionSigner } from '../sign-versions/version-signer.js';

export interface PublishedVersionWire {
  readonly node_version: NodeVersionWire;
  /** Takes the bytes of the version. */
  readonly signedUrl: string;
}

/** A published version as its publisher sees it. */
@Injectable()
export class PublishAnswer {
  constructor(
    private readonly signer: VersionSigner,
    private readonly uploads: UploadUrls,
  ) {}

  /** `url`: the registry's address. */
  render(record: VersionRecord, url: string): PublishedVersionWire {
    const node_version = renderVersion(record, { url, signer: this.signer, withReason: true });
    const target = this.uploads.target({ versionId: record.version_id, upload: record.state.upload });
    return { node_version, signedUrl: url + target };
  }
}
