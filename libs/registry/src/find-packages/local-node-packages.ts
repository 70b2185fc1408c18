import type { NodePackage, NodePackagesPort, PackageClasses } from '@heddle/contracts-messages';
import { isNodeId, nodeKey, parseVersion } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { foldText } from '../search-nodes/search-terms.js';
import { findPackagesSql } from './find-packages.sql.js';
import type { PackageRow } from './find-packages.sql.js';
import { classIn, installableSql, versionClassesSql } from './version-classes.sql.js';
import type { VersionClassRow } from './version-classes.sql.js';

const LIFE_MS = 5_000;
const MAX_CACHED = 10_000;

interface Cached {
  readonly until: number;
  /** Null: no package has it. */
  readonly found: NodePackage | null;
}

/**
 * Each question is one statement. Answers about the packages of classes are remembered for 5 s, misses too. Loads nothing
 * else of the registry.
 */
export class LocalNodePackages implements NodePackagesPort {
  readonly #cache = new Map<string, Cached>();

  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  async packagesOf(classes: readonly string[]): Promise<ReadonlyMap<string, NodePackage>> {
    const now = performance.now();
    const asked = classes.filter((name) => (this.#cache.get(name)?.until ?? 0) < now);
    if (asked.length > 0) await this.#lookUp(asked, now + LIFE_MS);
    const found = classes.flatMap((name) => {
      const one = this.#cache.get(name)?.found ?? null;
      return one === null ? [] : [[name, one] as const];
    });
    return new Map(found);
  }

  async installable(packages: readonly NodePackage[]): Promise<readonly NodePackage[]> {
    const { rows } = await this.pool.query<{ at: number }>({
      name: 'registry.installable-packages',
      text: installableSql,
      values: [packages.map(({ nodeId }) => keyOf(nodeId)), packages.map(({ version }) => numberOf(version))],
    });
    const places = new Set(rows.map(({ at }) => at - 1));
    return packages.filter((_, place) => places.has(place));
  }

  async classesOf({ nodeId, version }: NodePackage): Promise<PackageClasses | null> {
    const { rows } = await this.pool.query<VersionClassRow>({
      name: 'registry.version-classes',
      text: versionClassesSql,
      values: [keyOf(nodeId), numberOf(version)],
    });
    return rows[0] === undefined ? null : { classes: rows.flatMap(classIn), isWhole: rows[0].is_whole === true };
  }

  async #lookUp(classes: readonly string[], until: number): Promise<void> {
    const { rows } = await this.pool.query<PackageRow>({
      name: 'registry.find-packages',
      text: findPackagesSql,
      values: [classes, classes.map(foldText)],
    });
    const found = new Map(rows.map(({ name, node_id: nodeId, version }) => [name, { nodeId, version }]));
    for (const name of classes) {
      this.#cache.delete(name);
      this.#cache.set(name, { until, found: found.get(name) ?? null });
    }
    // The oldest answers come first.
    for (const name of this.#cache.keys()) {
      if (this.#cache.size <= MAX_CACHED) break;
      this.#cache.delete(name);
    }
  }
}

/** Null for what cannot be an id: no row has it. */
function keyOf(nodeId: string): string | null {
  return isNodeId(nodeId) ? nodeKey(nodeId) : null;
}

function numberOf(version: string): string | null {
  return parseVersion(version)?.text ?? null;
}
