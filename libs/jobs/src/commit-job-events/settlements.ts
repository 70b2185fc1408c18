import { chargeTerms, isEnded } from '@heddle/jobs-domain';
import { plainArray } from '../group-commit/byte-arena.js';
import type { NamedArguments } from '../group-commit/function-call.js';
import type { CommitItem } from './change-plan.js';

/** Arguments of jobs.settle_jobs for the ends among these changes; null if none of them reserved anything. */
export function settlementsOf(items: readonly CommitItem[]): NamedArguments | null {
  const ends = items.flatMap(({ jobId, accountId, plan: { before, after } }) => {
    if (!isEnded(after) || isEnded(before) || after.facts.submission.reserved === 0) return [];
    return [{ jobId, accountId, reserved: after.facts.submission.reserved, terms: chargeTerms(after) }];
  });
  if (ends.length === 0) return null;
  // The order in which balances are locked.
  ends.sort((one, other) => (one.accountId < other.accountId ? -1 : one.accountId > other.accountId ? 1 : 0));
  return {
    settle_jobs: plainArray(ends.map(({ jobId }) => jobId)),
    settle_accounts: plainArray(ends.map(({ accountId }) => accountId)),
    reserves: plainArray(ends.map(({ reserved }) => reserved)),
    flats: plainArray(ends.map(({ terms }) => terms.flat)),
    rates_micros: plainArray(ends.map(({ terms }) => terms.perSecondMicros)),
    leased_ms: plainArray(ends.map(({ terms }) => terms.leasedAtMs)),
    runtimes_ms: plainArray(ends.map(({ terms }) => terms.maxRuntimeMs)),
    most_for_seconds: plainArray(ends.map(({ terms }) => terms.maxForSeconds)),
  };
}
