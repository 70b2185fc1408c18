import { Injectable } from '@nestjs/common';
import { VERSION_STATUSES } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { VersionReads } from '../find-versions/version-reads.js';
import { hasBytes, renderVersion, shownStatus } from '../render-wire/version-wire.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { ShowNodeHandler } from '../show-node/show-node.handler.js';
import { VersionSigner } from '../sign-versions/version-signer.js';

/** What a mirror has to know of each version of a node: one JSON line each, oldest first. */
@Injectable()
export class ShowIndexHandler {
  constructor(
    private readonly nodes: ShowNodeHandler,
    private readonly versions: VersionReads,
    private readonly signer: VersionSigner,
  ) {}

  async handle(nodeId: string, caller: RegistryCaller, url: string): Promise<string> {
    await this.nodes.readable(nodeId, caller);
    const lines: string[] = [];
    for await (const part of this.versions.ofNode(nodeId, VERSION_STATUSES.filter(hasBytes))) {
      const visible = part.filter((record) => hasBytes(shownStatus(record)));
      lines.push(...visible.map((record) => `${this.#line(record, url)}\n`));
    }
    return lines.reverse().join('');
  }

  #line(record: VersionRecord, url: string): string {
    const version = renderVersion(record, { url, signer: this.signer, withReason: false });
    return JSON.stringify({
      node_id: version.node_id,
      version: version.version,
      sha256: version.sha256,
      size_bytes: version.size_bytes,
      deprecated: version.deprecated,
      status: version.status,
      signature: version.signature,
      dependencies: version.dependencies,
      supported_os: version.supported_os,
      supported_accelerators: version.supported_accelerators,
      supported_engine_version: version.supported_engine_version,
    });
  }
}
