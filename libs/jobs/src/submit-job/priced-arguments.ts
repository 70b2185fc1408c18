import { poolKey } from '@heddle/contracts-messages';
import type { WorkerPool } from '@heddle/contracts-messages';
import { FREE } from '@heddle/jobs-domain';
import type { JobPrice } from '@heddle/jobs-domain';
import { plainArray } from '../group-commit/byte-arena.js';
import type { NamedArguments } from '../group-commit/function-call.js';
import type { JobsSettings } from '../settings.js';

/** What a submission costs, as its event says. */
export interface SubmissionTerms {
  readonly price: JobPrice;
  readonly reserved: number;
  readonly schemaVersion: number;
  readonly maxRuntimeMs: number;
  readonly retentionMs: number;
}

interface PricedItem extends WorkerPool {
  readonly accountId: string;
  readonly terms: SubmissionTerms | null;
}

/** Arguments that jobs.submit_priced_jobs takes besides those of jobs.submit_jobs. */
export function pricedArguments(
  items: readonly PricedItem[],
  { maxRuntimeMs, retentionMs }: Pick<JobsSettings, 'maxRuntimeMs' | 'retentionMs'>,
): NamedArguments {
  const free = { price: FREE, reserved: 0, schemaVersion: 1, maxRuntimeMs, retentionMs };
  const terms: readonly SubmissionTerms[] = items.map((item) => item.terms ?? free);
  const prices = new Map<string, SubmissionTerms & { readonly deploymentId: string }>();
  const keys = items.map(({ deploymentId }, at) => {
    const own = terms[at]!;
    const { price } = own;
    const key = [deploymentId, price.perJob, price.perSecondMicros, own.maxRuntimeMs, own.retentionMs].join(' ');
    if (!prices.has(key)) prices.set(key, { deploymentId, ...own });
    return key;
  });
  const priceAt = placesOf([...prices.keys()]);
  const paying = items.filter((_, at) => terms[at]!.reserved > 0).map(({ accountId }) => accountId);
  // The order in which balances are locked.
  const accounts = [...new Set(paying)].sort();
  const balanceAt = placesOf(accounts);
  const listed = [...prices.values()];
  // The order in which limits are locked.
  const limited = [...new Set(items.map(({ accountId }) => accountId))].sort();
  const limitAt = placesOf(limited);
  return {
    schema_versions: plainArray(terms.map(({ schemaVersion }) => schemaVersion)),
    price_deployments: plainArray(listed.map(({ deploymentId }) => deploymentId)),
    per_jobs: plainArray(listed.map(({ price }) => price.perJob)),
    per_seconds_micros: plainArray(listed.map(({ price }) => price.perSecondMicros)),
    planned_runtimes_ms: plainArray(listed.map((own) => own.maxRuntimeMs)),
    planned_retentions_ms: plainArray(listed.map((own) => own.retentionMs)),
    runtime_ms: maxRuntimeMs,
    limit_accounts: plainArray(limited),
    limits_at: plainArray(items.map(({ accountId }) => limitAt.get(accountId)!)),
    prices_at: plainArray(keys.map((key) => priceAt.get(key)!)),
    balance_accounts: plainArray(accounts),
    balances_at: plainArray(
      items.map(({ accountId }, at) => (terms[at]!.reserved > 0 ? balanceAt.get(accountId)! : 0)),
    ),
    reserves: plainArray(terms.map(({ reserved }) => reserved)),
    ...revisedArguments(items),
  };
}

/** The pools of a batch, and which of them each item names; an item of revision 0 names none. */
function revisedArguments(items: readonly PricedItem[]): NamedArguments {
  const pools = new Map(items.filter(({ revision }) => revision > 0).map((item) => [poolKey(item), item]));
  const poolAt = placesOf([...pools.keys()]);
  const listed = [...pools.values()];
  return {
    revisions: plainArray(items.map(({ revision }) => revision)),
    intake_deployments: plainArray(listed.map(({ deploymentId }) => deploymentId)),
    intake_revisions: plainArray(listed.map(({ revision }) => revision)),
    intakes_at: plainArray(items.map((item) => poolAt.get(poolKey(item)) ?? 0)),
  };
}

/** Index of each value, from 1. */
function placesOf(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, at) => [value, at + 1]));
}
