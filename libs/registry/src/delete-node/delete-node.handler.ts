import { Injectable } from '@nestjs/common';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { deleteNode } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { assertOwn, writingPublisher } from '../load-for-write/written-nodes.js';
import type { NodeWrite } from '../load-for-write/written-nodes.js';

/** The end of a node. Its id is never free again. */
@Injectable()
export class DeleteNodeHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
  ) {}

  /** Again: nothing more happens. */
  async handle({ publisher, nodeId, caller }: NodeWrite): Promise<void> {
    await this.membership.owner(caller, publisher);
    await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher);
      const node = await unit.node(nodeId);
      if (node === null) throw registryRefusal('not_found', { case: 'node', id: nodeId });
      const isOver = node.state.status === 'deleted' && node.state.publisherId === publisher;
      if (!isOver) assertOwn(node.state, publisher);
      await unit.changeNode(node, deleteNode(node.state, actorOf(caller)).events);
    });
  }
}
