import type { DeploymentId } from '@heddle/contracts-messages';
import { KEPT_MS } from './worker-presence.sql.js';
import type { PoolRow } from './worker-presence.sql.js';

/** A replica says so often that it is there, and is gone after three times of it. */
export const WRITE_MS = 2_000;
export const GONE_MS = 3 * WRITE_MS;

/** Times are milliseconds of the database since 1970. */
export interface PoolChanges {
  readonly next: string;
  readonly now: number;
  readonly pools: readonly PoolRow[];
  /** When each replica was there last. */
  readonly replicas: ReadonlyMap<string, number>;
}

/** The pools of all replicas, as far as their changes were read; a look takes from it which deployments to look at. */
export class SeenPools {
  /** Pools of a deployment, each at one replica. */
  readonly #pools = new Map<DeploymentId, Map<string, PoolRow>>();
  readonly #deploymentsAt = new Map<string, Set<DeploymentId>>();
  #replicas: ReadonlyMap<string, number> = new Map();
  #present: ReadonlySet<string> = new Set();
  #now = 0;
  #next: string | null = null;

  /** From which to ask for the next changes. */
  get next(): string | null {
    return this.#next;
  }

  /** Resolves with the deployments whose pools changed; those of a replica that came or went are among them. */
  apply({ next, now, pools, replicas }: PoolChanges): ReadonlySet<DeploymentId> {
    this.#next = next;
    this.#now = now;
    const before = this.#present;
    const hasLost = [...this.#replicas.keys()].some((id) => !replicas.has(id));
    this.#replicas = replicas;
    this.#present = new Set([...replicas].filter(([, seenAt]) => now - seenAt < GONE_MS).map(([id]) => id));
    const moved = new Set(pools.filter((row) => this.#put(row)).map((row) => row.deployment_id as DeploymentId));
    for (const id of [...before, ...this.#present]) {
      if (before.has(id) && this.#present.has(id)) continue;
      for (const deploymentId of this.#deploymentsAt.get(id) ?? []) moved.add(deploymentId);
    }
    if (hasLost) this.#prune();
    return moved;
  }

  /** Revisions of which a worker polls. */
  polling(id: DeploymentId): ReadonlySet<number> {
    const polled = this.#of(id).filter((row) => this.#isPolled(row));
    return new Set(polled.map(({ revision }) => revision));
  }

  /** Since a worker of the revision was there last, at any replica. */
  silentMs(id: DeploymentId, revision: number): number {
    return this.#now - this.#lastHeard(this.#of(id).filter((row) => row.revision === revision));
  }

  /** Since a worker of the revision was there last, at a replica other than this one. */
  silentElsewhereMs(id: DeploymentId, revision: number, replica: string): number {
    const others = this.#of(id).filter((row) => row.revision === revision && row.replica_id !== replica);
    if (others.some((row) => this.#isPolled(row))) return 0;
    return this.#now - this.#lastHeard(others);
  }

  remove(id: DeploymentId): void {
    this.#pools.delete(id);
    for (const deployments of this.#deploymentsAt.values()) deployments.delete(id);
  }

  /** How many rows are kept. */
  get size(): number {
    return [...this.#pools.values()].reduce((sum, own) => sum + own.size, 0);
  }

  /** Every restart of a replica leaves rows: those that the store removes go here, too. */
  #prune(): void {
    for (const [id, own] of this.#pools) {
      for (const [key, { replica_id: replica, workers, seen_at: seenAt }] of own)
        if (!this.#replicas.has(replica) && (workers > 0 || this.#now - seenAt >= KEPT_MS)) own.delete(key);
      if (own.size === 0) this.#pools.delete(id);
    }
    for (const replica of this.#deploymentsAt.keys())
      if (!this.#replicas.has(replica)) this.#deploymentsAt.delete(replica);
  }

  #of(id: DeploymentId): readonly PoolRow[] {
    return [...(this.#pools.get(id)?.values() ?? [])];
  }

  #lastHeard(rows: readonly PoolRow[]): number {
    const heard = rows.map(({ workers, replica_id: replica, seen_at: seenAt }) =>
      workers > 0 ? (this.#replicas.get(replica) ?? Number.NEGATIVE_INFINITY) : seenAt,
    );
    return Math.max(Number.NEGATIVE_INFINITY, ...heard);
  }

  #isPolled({ workers, replica_id: replica }: PoolRow): boolean {
    return workers > 0 && this.#present.has(replica);
  }

  /** False for a row that came again. */
  #put(row: PoolRow): boolean {
    const id = row.deployment_id as DeploymentId;
    const own = kept(this.#pools, id, () => new Map<string, PoolRow>());
    const key = `${row.revision} ${row.replica_id}`;
    const known = own.get(key);
    if (known?.seen_at === row.seen_at && known.workers === row.workers) return false;
    own.set(key, row);
    kept(this.#deploymentsAt, row.replica_id, () => new Set<DeploymentId>()).add(id);
    return true;
  }
}

function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
