import { FREE } from '@heddle/jobs-domain';
import type { JobPrice } from '@heddle/jobs-domain';
import { plainArray } from '../group-commit/byte-arena.js';
import type { NamedArguments } from '../group-commit/function-call.js';

/** What a submission costs, as its event says. */
export interface SubmissionTerms {
  readonly price: JobPrice;
  readonly reserved: number;
  readonly schemaVersion: number;
}

interface PricedItem {
  readonly accountId: string;
  readonly deploymentId: string;
  readonly revision: number;
  readonly terms: SubmissionTerms | null;
}

/** Arguments that jobs.submit_priced_jobs takes besides those of jobs.submit_jobs. */
export function pricedArguments(items: readonly PricedItem[]): NamedArguments {
  const terms = items.map((item) => item.terms ?? { price: FREE, reserved: 0, schemaVersion: 1 });
  const prices = new Map<string, { readonly deploymentId: string; readonly price: JobPrice }>();
  const keys = items.map(({ deploymentId }, at) => {
    const { price } = terms[at]!;
    const key = `${deploymentId} ${price.perJob} ${price.perSecondMicros}`;
    if (!prices.has(key)) prices.set(key, { deploymentId, price });
    return key;
  });
  const priceAt = placesOf([...prices.keys()]);
  const paying = items.filter((_, at) => terms[at]!.reserved > 0).map(({ accountId }) => accountId);
  // The order in which balances are locked.
  const accounts = [...new Set(paying)].sort();
  const balanceAt = placesOf(accounts);
  const listed = [...prices.values()];
  return {
    schema_versions: plainArray(terms.map(({ schemaVersion }) => schemaVersion)),
    price_deployments: plainArray(listed.map(({ deploymentId }) => deploymentId)),
    per_jobs: plainArray(listed.map(({ price }) => price.perJob)),
    per_seconds_micros: plainArray(listed.map(({ price }) => price.perSecondMicros)),
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
  const keyOf = ({ deploymentId, revision }: PricedItem): string => `${deploymentId} ${revision}`;
  const pools = new Map(items.filter(({ revision }) => revision > 0).map((item) => [keyOf(item), item]));
  const poolAt = placesOf([...pools.keys()]);
  const listed = [...pools.values()];
  return {
    revisions: plainArray(items.map(({ revision }) => revision)),
    intake_deployments: plainArray(listed.map(({ deploymentId }) => deploymentId)),
    intake_revisions: plainArray(listed.map(({ revision }) => revision)),
    intakes_at: plainArray(items.map((item) => poolAt.get(keyOf(item)) ?? 0)),
  };
}

/** Index of each value, from 1. */
function placesOf(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, at) => [value, at + 1]));
}
