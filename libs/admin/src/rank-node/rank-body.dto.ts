import type { NodeRankChanges } from '@heddle/contracts-messages';
import { IsNumber, IsOptional, IsString } from 'class-validator';
import type { Fields } from '../read-request/admin-body.js';

const texts = { each: true, message: 'must be a list of strings' };

/** What changes of a node's ranks; their rules belong to the registry. */
export class RankBody {
  @IsOptional()
  @IsNumber({}, { message: 'must be a whole number' })
  search_ranking: unknown;

  @IsOptional()
  @IsString(texts)
  preempt: unknown;

  @IsOptional()
  @IsString(texts)
  tags: unknown;

  constructor(fields: Fields) {
    this.search_ranking = fields['search_ranking'];
    this.preempt = listed(fields['preempt']);
    this.tags = listed(fields['tags']);
  }

  toChanges(): NodeRankChanges {
    const { search_ranking: searchRanking, preempt: preempted, tags } = this;
    return {
      ...(typeof searchRanking === 'number' ? { searchRanking } : {}),
      ...(Array.isArray(preempted) ? { preempted: preempted as string[] } : {}),
      ...(Array.isArray(tags) ? { tags: tags as string[] } : {}),
    };
  }
}

/** class-validator checks each character of a string: a single string is not a list. */
function listed(value: unknown): unknown {
  return value === undefined || value === null || Array.isArray(value) ? value : [value, null];
}
