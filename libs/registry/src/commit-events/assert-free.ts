import { refused } from '../refused.js';
import type { RegistryUnit } from './registry-unit.js';

/** Throws if another node has an id that looks the same, or the repository; otherwise nobody takes them meanwhile. */
export async function assertFree(unit: RegistryUnit, id: string, repository: string): Promise<void> {
  const found = await unit.conflict(id, repository);
  if (found === null) return;
  const { other, isAlike } = found;
  throw isAlike
    ? refused('name_too_similar', { case: 'node', id, other })
    : refused('repository_taken', { case: 'repository', other });
}
