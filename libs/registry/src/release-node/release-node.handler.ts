import { Injectable } from '@nestjs/common';
import { NIL_UUID } from '@heddle/contracts-messages';
import type { RegistryVerdict } from '@heddle/contracts-messages';
import { createPublisher, releaseNode, UNCLAIMED } from '@heddle/registry-domain';
import { ADMIN, adminNode, nodeVerdict } from '../answer-admin/admin-names.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import type { RegistryUnit } from '../commit-events/registry-unit.js';

const PROFILE = { name: 'Unclaimed', description: '', logo: '', source_code_repo: '', support: '', website: '' };

/** A node without a publisher: the owner of its repository can claim it. */
@Injectable()
export class ReleaseNodeHandler {
  constructor(private readonly log: RegistryLog) {}

  async handle(nodeId: string): Promise<RegistryVerdict> {
    return await this.log.commit(async (unit) => {
      await keepUnclaimed(unit);
      const node = await adminNode(unit, nodeId);
      return nodeVerdict(await unit.changeNode(node, releaseNode(node.state, ADMIN).events));
    });
  }
}

/** The publisher of released nodes is made with the first one. It has no members. */
async function keepUnclaimed(unit: RegistryUnit): Promise<void> {
  if ((await unit.publisher(UNCLAIMED, 'share')) !== null) return;
  const data = { actor: ADMIN, publisher_id: UNCLAIMED, account_id: NIL_UUID };
  await unit.createPublisher(createPublisher(data).events, PROFILE);
}
