import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

interface Counted {
  readonly deploymentId: string;
  readonly accountId: string;
}

/** Distinct counters that a batch may change, in lock order. */
interface QueueCounters {
  readonly deploymentIds: readonly string[];
  readonly accountIds: readonly string[];
  /** Per item: index of its account's counter, from 1. */
  readonly accounts: readonly number[];
  /** Per item: index of its deployment's counter, from 1. */
  readonly deployments: readonly number[];
}

/** The counter of a whole deployment sorts before those of its accounts. */
export function countersOf(items: readonly Counted[]): QueueCounters {
  const keyOf = (deploymentId: string, accountId: string): string => `${deploymentId} ${accountId}`;
  const keys = new Set<string>();
  for (const { deploymentId, accountId } of items) {
    keys.add(keyOf(deploymentId, WHOLE_DEPLOYMENT)).add(keyOf(deploymentId, accountId));
  }
  const sorted = [...keys].sort();
  const indexes = new Map(sorted.map((key, at) => [key, at + 1]));
  return {
    deploymentIds: sorted.map((key) => key.slice(0, key.indexOf(' '))),
    accountIds: sorted.map((key) => key.slice(key.indexOf(' ') + 1)),
    accounts: items.map(({ deploymentId, accountId }) => indexes.get(keyOf(deploymentId, accountId))!),
    deployments: items.map(({ deploymentId }) => indexes.get(keyOf(deploymentId, WHOLE_DEPLOYMENT))!),
  };
}
