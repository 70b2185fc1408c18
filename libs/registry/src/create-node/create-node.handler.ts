import { Injectable } from '@nestjs/common';
import { checkedBody } from '@heddle/platform-http';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { createNode } from '@heddle/registry-domain';
import { actorOf } from '../authorize/caller.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { assertFree, assertNotReserved } from '../commit-events/assert-free.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { writingPublisher } from '../load-for-write/written-nodes.js';
import { assertNodeRate } from '../publish-version/publish-rates.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { RegistrySettings } from '../settings.js';

/** A node without a version. Checks come in the order of those of publish. */
@Injectable()
export class CreateNodeHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
    private readonly settings: RegistrySettings,
  ) {}

  /** Returns its id. */
  async handle(publisher: string, caller: RegistryCaller, fields: GivenFields): Promise<string> {
    await this.membership.owner(caller, publisher);
    return await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher);
      const { NodeBody, missingId } = await import('../read-request/node-body.dto.js');
      const body = await checkedBody(fields, () => Promise.resolve(NodeBody), missingId);
      const id = body.id as string;
      if ((await unit.nodeToBe(id)) !== null) throw registryRefusal('node_exists', { case: 'node', id });
      await assertNodeRate(unit, publisher, this.settings);
      const text = body.toText(null, id);
      await assertFree(unit, id, text.repository);
      assertNotReserved(id, this.settings.reserved);
      const data = { actor: actorOf(caller), node_id: id, publisher_id: publisher, text };
      await unit.createNode(createNode(data).events);
      return id;
    });
  }
}
