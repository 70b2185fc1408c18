import { Injectable } from '@nestjs/common';
import type { NodePageWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { NodeReads } from '../find-nodes/node-reads.js';
import { renderNodePage } from '../render-wire/node-wire.js';
import { foldText } from '../search-nodes/search-terms.js';
import { VersionSigner } from '../sign-versions/version-signer.js';
import { nodeOrder, shownNodesSql } from './list-nodes.sql.js';
import type { NodeSort } from './list-nodes.sql.js';
import type { NodeListQuery } from './node-page-query.js';

/** A page of active nodes: of all, or of a publisher. */
@Injectable()
export class ListNodesHandler {
  constructor(
    private readonly nodes: NodeReads,
    private readonly signer: VersionSigner,
  ) {}

  /** `publisher`: null for all. */
  async handle(publisher: string | null, asked: NodeListQuery, url: string): Promise<NodePageWire> {
    if (publisher !== null && (await this.nodes.publisher(publisher)) === null) {
      throw registryRefusal('not_found', { case: 'publisher', id: publisher });
    }
    const { page, limit, sort, timestamp, supported_os: os, supported_accelerator: accelerator } = asked;
    const [column, way] = sort.split(';') as [NodeSort, string?];
    const folded = (text: string | null): string | null => (text === null ? null : foldText(text));
    const found = await this.nodes.page({
      found: shownNodesSql,
      order: nodeOrder(column, way === 'desc'),
      values: [publisher, timestamp, folded(os), folded(accelerator)],
      page,
      limit,
    });
    return renderNodePage(found, { page, limit }, { url, signer: this.signer });
  }
}
