import { loadedRegistry } from '../registry/loaded-registry.ts';
import { measureBulk } from '../registry/measure-bulk.ts';
import { measureClassPages, measureSearches } from '../registry/measure-pages.ts';
import type { Sample } from '../rows.ts';

/** Rows R2 to R4: reads of a registry with 10,000 packages, 100,000 versions and 1,000,000 classes. */
export async function measureRegistryReads(): Promise<Sample> {
  const registry = await loadedRegistry();
  try {
    return {
      // First: the cache of the classes is cold.
      ...(await measureClassPages(registry)),
      ...(await measureBulk(registry)),
      ...(await measureSearches(registry)),
    };
  } finally {
    await registry.stop();
  }
}
