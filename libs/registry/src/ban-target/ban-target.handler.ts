import { Injectable } from '@nestjs/common';
import type { RegistryTarget, RegistryVerdict } from '@heddle/contracts-messages';
import { banNode, banPublisher, unbanNode, unbanPublisher } from '@heddle/registry-domain';
import { ADMIN, adminNode, nodeVerdict, unknown } from '../answer-admin/admin-names.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { Requests } from '../keep-requests/requests.js';

/** The end of a publisher or a node, and its return. Nothing else is rewritten: reads ask for both. */
@Injectable()
export class BanTargetHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly requests: Requests,
  ) {}

  async handle(target: RegistryTarget, isBan: boolean, reason: string): Promise<RegistryVerdict> {
    return 'nodeId' in target
      ? await this.#node(target.nodeId, isBan, reason)
      : await this.#publisher(target.publisher, isBan, reason);
  }

  async #node(nodeId: string, isBan: boolean, reason: string): Promise<RegistryVerdict> {
    return await this.log.commit(async (unit) => {
      const node = await adminNode(unit, nodeId);
      const decide = isBan ? banNode : unbanNode;
      const state = await unit.changeNode(node, decide(node.state, ADMIN, reason).events);
      if (isBan) await this.requests.closeReports(unit, nodeId);
      return nodeVerdict(state);
    });
  }

  /** Waits for publishes of it that are under way; the next ones are refused. */
  async #publisher(id: string, isBan: boolean, reason: string): Promise<RegistryVerdict> {
    return await this.log.commit(async (unit) => {
      const stored = await unit.publisher(id, 'update');
      if (stored === null) throw unknown({ case: 'publisher', id });
      const decide = isBan ? banPublisher : unbanPublisher;
      const state = await unit.changePublisher(stored, decide(stored.state, ADMIN, reason).events);
      return { nodeId: null, publisher: id, version: null, status: state.status, reason: state.reason };
    });
  }
}
