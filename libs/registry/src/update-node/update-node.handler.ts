import { Injectable } from '@nestjs/common';
import { checkedBody } from '@heddle/platform-http';
import { changeText } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { assertFree } from '../commit-events/assert-free.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { writtenNode } from '../load-for-write/written-nodes.js';
import type { NodeWrite } from '../load-for-write/written-nodes.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { idProblems } from '../read-request/id-problems.js';

/** What an owner says of a node; what is absent stays as it was. */
@Injectable()
export class UpdateNodeHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
  ) {}

  /** Returns the id, by which the node is shown. */
  async handle({ publisher, nodeId, caller }: NodeWrite, fields: GivenFields): Promise<string> {
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
}
