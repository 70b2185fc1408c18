import { Injectable } from '@nestjs/common';
import { nodeKey } from '@heddle/registry-domain';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { readableNode } from '../authorize/write-checks.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { refused } from '../refused.js';
import { addStarsSql, setRatingSql } from './rating-rows.sql.js';

/** The stars that an account gives to a node; one rating an account, the last one counts. */
@Injectable()
export class RateNodeHandler {
  constructor(
    private readonly log: RegistryLog,
    private readonly membership: Membership,
  ) {}

  /** `given`: the query parameter, as it was sent. Returns the id, by which the node is shown. */
  async handle(nodeId: string, caller: RegistryCaller, given: unknown): Promise<string> {
    const accountId = this.membership.account(caller);
    const star = starIn(given);
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

function starIn(given: unknown): number {
  if (typeof given === 'string' && /^[1-5]$/.test(given)) return Number(given);
  throw refused('invalid_parameter', {
    case: 'parameters',
    problems: ['The parameter star must be a whole number from 1 to 5.'],
  });
}
