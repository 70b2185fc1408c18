import { nodeKey } from '@heddle/registry-domain';
import type { RegistryUnit } from '../commit-events/registry-unit.js';
import { refused } from '../refused.js';
import type { RegistrySettings } from '../settings.js';
import { countNodesSql, countVersionsSql } from './publish-rates.sql.js';

const DAY_S = 86_400;

/** Throws if a publisher made as many nodes within a day as it may. */
export async function assertNodeRate(
  unit: RegistryUnit,
  publisher: string,
  { newNodesDay: limit }: RegistrySettings,
): Promise<void> {
  if ((await made(unit, countNodesSql, publisher, limit)) < limit) return;
  throw refused('rate_limited', { case: 'new_nodes', limit }, { retryAfterSeconds: DAY_S });
}

/** Throws if a node got as many versions within a day as it may. */
export async function assertVersionRate(
  unit: RegistryUnit,
  nodeId: string,
  { versionsDay: limit }: RegistrySettings,
): Promise<void> {
  if ((await made(unit, countVersionsSql, nodeKey(nodeId), limit)) < limit) return;
  throw refused('rate_limited', { case: 'versions', limit }, { retryAfterSeconds: DAY_S });
}

async function made({ client }: RegistryUnit, text: string, key: string, limit: number): Promise<number> {
  const { rows } = await client.query<{ made: number }>(text, [key, limit]);
  return rows[0]!.made;
}
