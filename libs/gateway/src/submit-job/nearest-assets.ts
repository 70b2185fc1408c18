import { setTimeout as delay } from 'node:timers/promises';
import { NearestName } from '@heddle/workflow-graph/nearest-name';
import type { UnknownFile } from '@heddle/contracts-messages';

/** Names of one submission that are looked up; the message explains few causes anyway. */
const MAX_NAMES = 4;
/** A refusal waits no longer for its hints. */
const HINT_TIMEOUT_MS = 250;

/**
 * For names that nothing answers, the assets of the account that they may mean. The refusal is decided before: a failure or a
 * slow answer loses the hint alone.
 */
export async function nearestAssets(
  pathsNear: (name: string) => Promise<readonly string[]>,
  unknown: readonly UnknownFile[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(unknown.filter(({ sentence }) => sentence !== null).map(({ name }) => name))];
  const found = new Map<string, string>();
  const looked = names.slice(0, MAX_NAMES).map(async (name) => {
    const nearest = new NearestName(await pathsNear(name)).of(name);
    if (nearest !== null) found.set(name, nearest);
  });
  await Promise.race([Promise.allSettled(looked), delay(HINT_TIMEOUT_MS, undefined, { ref: false })]);
  // Later answers must not change a message that is being written.
  return new Map(found);
}
