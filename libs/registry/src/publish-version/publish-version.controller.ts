import { Body, Controller, Param, Post } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import type { GivenFields } from '../read-request/node-body.dto.js';
import { RegistryUrl } from '../render-wire/links.js';
import { renderVersion } from '../render-wire/version-wire.js';
import { UploadUrls } from '../sign-versions/upload-url.js';
import { VersionSigner } from '../sign-versions/version-signer.js';
import { PublishVersionHandler } from './publish-version.handler.js';

@Controller('publishers/:publisher/nodes/:node/versions')
export class PublishVersionController {
  constructor(
    private readonly publish: PublishVersionHandler,
    private readonly signer: VersionSigner,
    private readonly uploads: UploadUrls,
  ) {}

  @Post()
  async handle(
    @Param() { publisher, node: nodeId }: { readonly publisher: string; readonly node: string },
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @RegistryUrl() url: string,
  ): Promise<{ readonly node_version: NodeVersionWire; readonly signedUrl: string }> {
    const record = await this.publish.handle({ publisher, nodeId, caller, fields });
    const node_version = renderVersion(record, { url, signer: this.signer, withReason: true });
    const target = this.uploads.target({ versionId: record.version_id, upload: record.state.upload });
    return { node_version, signedUrl: url + target };
  }
}
