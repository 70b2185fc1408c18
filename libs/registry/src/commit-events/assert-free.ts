import { RESERVED_NODES } from '@heddle/contracts-registry';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { nodeKey } from '@heddle/registry-domain';
import type { RegistryUnit } from './registry-unit.js';

/** Throws if another node has the repository, or an id that looks the same. Otherwise both stay free until the transaction ends. */
export async function assertFree(unit: RegistryUnit, id: string, repository: string): Promise<void> {
  const found = await unit.conflict(id, repository);
  if (found === null) return;
  const { other, isAlike } = found;
  throw isAlike
    ? registryRefusal('name_too_similar', { case: 'node', id, other })
    : registryRefusal('repository_taken', { case: 'repository', other });
}

/** Throws if an id is reserved, by the registry or by the operator (`reserved`). */
export function assertNotReserved(id: string, reserved: ReadonlySet<string>): void {
  const key = nodeKey(id);
  if (RESERVED_NODES.has(key) || reserved.has(key)) throw registryRefusal('forbidden', { case: 'reserved', id });
}
