import { Injectable } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { RegistryCaller } from '../authorize/caller.js';
import { assertNotBanned } from '../authorize/ban-refusals.js';
import { Membership } from '../authorize/membership.js';
import { NodeReads } from '../find-nodes/node-reads.js';
import { renderNode } from '../render-wire/node-wire.js';
import type { NodeRecord } from '../render-wire/node-wire.js';
import { VersionSigner } from '../sign-versions/version-signer.js';

/** One node with its publisher and its latest version (registry decisions, Direct reads). */
@Injectable()
export class ShowNodeHandler {
  constructor(
    private readonly nodes: NodeReads,
    private readonly membership: Membership,
    private readonly signer: VersionSigner,
  ) {}

  async handle(nodeId: string, caller: RegistryCaller, url: string): Promise<NodeWire> {
    const found = await this.readable(nodeId, caller);
    const withReason = await this.membership.isMember(caller, found.state.publisherId);
    return renderNode(found, { url, signer: this.signer, withReason });
  }

  /** The node, or the refusal of one that nobody may see; a member is told why it is banned. */
  async readable(nodeId: string, caller: RegistryCaller): Promise<NodeRecord> {
    const found = await this.nodes.one(nodeId);
    if (found === null || found.state.status === 'deleted')
      throw registryRefusal('not_found', { case: 'node', id: nodeId });
    const { state, publisher } = found;
    const { status, reason } = publisher.state.status === 'banned' ? publisher.state : state;
    if (status !== 'banned') return found;
    const told = (await this.membership.isMember(caller, state.publisherId)) ? reason : '';
    const { nodeId: node_id, publisherId: publisher_id, status: node_status } = state;
    assertNotBanned({ node_id, publisher_id, node_status, publisher_status: publisher.state.status }, told);
    return found;
  }
}
