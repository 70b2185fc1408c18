import { Injectable } from '@nestjs/common';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { assertOwned } from '../authorize/assert-owned.js';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { writingPublisher } from '../load-for-write/written-nodes.js';

const removeSql = `
delete from registry.member where publisher_id = $1 and member_id::text = $2 returning 1`;

/** A member leaves a publisher. */
@Injectable()
export class RemoveMemberHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
  ) {}

  async handle(publisher: string, memberId: string, caller: RegistryCaller): Promise<void> {
    await this.membership.owner(caller, publisher);
    await this.log.commit(async (unit) => {
      await writingPublisher(unit, publisher, 'update');
      const { rowCount } = await unit.client.query(removeSql, [publisher, memberId]);
      if (rowCount === 0) throw registryRefusal('not_found', { case: 'member', id: memberId });
      await assertOwned(unit, publisher);
    });
  }
}
