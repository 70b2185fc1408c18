import { Injectable } from '@nestjs/common';
import { nodeKey } from '@heddle/registry-domain';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { readableNode } from '../load-for-write/written-nodes.js';
import { QueryPipe, required, whole } from '../read-request/query.pipe.js';
import type { GivenQuery } from '../read-request/query.pipe.js';
import { addStarsSql, setRatingSql } from './rating-rows.sql.js';

const RATING = new QueryPipe({ star: required(whole(1, 5, null)) });

/** The stars that an account gives to a node; one rating an account, the last one counts. */
@Injectable()
export class RateNodeHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
  ) {}

  /** Who has no account is told so before the query is read. Returns the id, by which the node is shown. */
  async handle(nodeId: string, caller: RegistryCaller, query: GivenQuery): Promise<string> {
    const accountId = this.membership.account(caller);
    const { star } = RATING.transform(query);
    await this.log.commit(async (unit) => {
      await readableNode(unit, nodeId);
      const key = nodeKey(nodeId);
      const { rows } = await unit.client.query<{ before: number | null }>(setRatingSql, [key, accountId, star]);
      const before = rows[0]!.before;
      await unit.client.query(addStarsSql, [key, star - (before ?? 0), before === null ? 1 : 0]);
    });
    return nodeId;
  }
}
