import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { nodeKey } from '@heddle/registry-domain';
import type { RegistryUnit } from '../commit-events/registry-unit.js';
import type { RegistrySettings } from '../settings.js';

/** How many nodes a publisher made, and how many versions a node got, within a day; each counted at most to its limit. */
const countNodesSql = `
select count(*)::int as made from (
  select from registry.node where publisher_id = $1 and created_at > heddle.clock_now_ms() - interval '1 day' limit $2) as n`;
const countVersionsSql = `
select count(*)::int as made from (
  select from registry.version where node_key = $1 and created_at > heddle.clock_now_ms() - interval '1 day' limit $2) as v`;

const DAY_S = 86_400;

/** Throws if a publisher made as many nodes within a day as it may. */
export async function assertNodeRate(
  unit: RegistryUnit,
  publisher: string,
  { newNodesDay: limit }: RegistrySettings,
): Promise<void> {
  if ((await made(unit, countNodesSql, publisher, limit)) < limit) return;
  throw registryRefusal('rate_limited', { case: 'new_nodes', limit }, { retryAfterSeconds: DAY_S });
}

/** Throws if a node got as many versions within a day as it may. */
export async function assertVersionRate(
  unit: RegistryUnit,
  nodeId: string,
  { versionsDay: limit }: RegistrySettings,
): Promise<void> {
  if ((await made(unit, countVersionsSql, nodeKey(nodeId), limit)) < limit) return;
  throw registryRefusal('rate_limited', { case: 'versions', limit }, { retryAfterSeconds: DAY_S });
}

async function made({ client }: RegistryUnit, text: string, key: string, limit: number): Promise<number> {
  const { rows } = await client.query<{ made: number }>(text, [key, limit]);
  return rows[0]!.made;
}
