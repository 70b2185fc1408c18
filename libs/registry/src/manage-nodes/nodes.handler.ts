import { Injectable } from '@nestjs/common';
import { checkedBody } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { changeText, deleteNode } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { assertOwn, writingPublisher, writtenNode } from '../authorize/write-checks.js';
import { assertFree } from '../commit-events/assert-free.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { idProblems } from '../read-request/id-problems.js';
import type { GivenFields } from '../read-request/node-body.dto.js';

export interface NodeWrite {
  readonly publisher: string;
  readonly nodeId: string;
  readonly caller: RegistryCaller;
}

/** What an owner changes of a node, and its end. */
@Injectable()
export class NodesHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
  ) {}

  /** What is absent stays as it was. Returns the id, by which the node is shown. */
  async update({ publisher, nodeId, caller }: NodeWrite, fields: GivenFields): Promise<string> {
    await this.membership.owner(caller, publisher);
    await this.log.commit(async (unit) => {
      const node = await writtenNode(unit, publisher, nodeId);
      const load = async () => (await import('../read-request/node-body.dto.js')).NodeBody;
      const body = await checkedBody(fields, load, () => idProblems(nodeId, fields['id'], 'id'));
      const text = body.toText(node.state.text, node.state.nodeId);
      await assertFree(unit, node.state.nodeId, text.repository);
      await unit.changeNode(node, changeText(node.state, text, actorOf(caller)).events);
    });
    return nodeId;
  }

  /** Again: nothing more happens. Its id is never free again. */
  async delete({ publisher, nodeId, caller }: NodeWrite): Promise<void> {
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
