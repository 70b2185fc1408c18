import { Injectable } from '@nestjs/common';
import { invalidFields } from '@heddle/contracts-messages';
import type { NodeRankChanges, RegistryVerdict } from '@heddle/contracts-messages';
import { REGISTRY_LIMITS } from '@heddle/contracts-registry';
import { RejectionError } from '@heddle/platform-http';
import { changeRanks } from '@heddle/registry-domain';
import { ADMIN, adminNode, nodeVerdict } from '../answer-admin/admin-names.js';
import { RegistryLog } from '../commit-events/registry-log.js';

const { list, name, tag, tags } = REGISTRY_LIMITS;
const MAX_RANK = 1_000_000_000;

/** What an operator says of a node: its place in searches, classes that resolve to it, tags. */
@Injectable()
export class RankNodeHandler {
  constructor(private readonly log: RegistryLog) {}

  async handle(nodeId: string, changes: NodeRankChanges): Promise<RegistryVerdict> {
    const problems = problemsOf(changes);
    if (Object.keys(problems).length > 0) throw new RejectionError(invalidFields(problems));
    return await this.log.commit(async (unit) => {
      const node = await adminNode(unit, nodeId);
      const { ranks } = node.state;
      const changed = {
        search_ranking: changes.searchRanking ?? ranks.search_ranking,
        preempted: changes.preempted ?? ranks.preempted,
        tags_admin: changes.tags ?? ranks.tags_admin,
      };
      return nodeVerdict(await unit.changeNode(node, changeRanks(node.state, changed, ADMIN).events));
    });
  }
}

function problemsOf({ searchRanking = 0, preempted = [], tags: words = [] }: NodeRankChanges): Record<string, string> {
  return {
    ...(Number.isInteger(searchRanking) && Math.abs(searchRanking) <= MAX_RANK
      ? {}
      : { search_ranking: `must be a whole number from -${MAX_RANK} to ${MAX_RANK}` }),
    ...(isList(preempted, list, name)
      ? {}
      : { preempt: `must be at most ${list} names of at most ${name} characters` }),
    ...(isList(words, tags, tag) ? {} : { tags: `must be at most ${tags} words of at most ${tag} characters` }),
  };
}

function isList(texts: readonly string[], items: number, max: number): boolean {
  return texts.length <= items && texts.every((one) => one !== '' && [...one].length <= max && !one.includes('\0'));
}
