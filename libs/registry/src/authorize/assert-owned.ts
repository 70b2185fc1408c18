import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { RegistryUnit } from '../commit-events/registry-unit.js';

const ownersSql = `select count(*)::int as owners from registry.member where publisher_id = $1 and role = 'owner'`;

/** A publisher keeps one owner. Its members change one at a time: the transaction has locked the publisher. */
export async function assertOwned({ client }: RegistryUnit, publisher: string): Promise<void> {
  const { rows } = await client.query<{ owners: number }>(ownersSql, [publisher]);
  if (rows[0]!.owners === 0) throw registryRefusal('last_owner', { case: 'member' });
}
