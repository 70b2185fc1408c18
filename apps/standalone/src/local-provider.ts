import type { DeploymentId } from '@heddle/contracts-messages';
import { poolKey } from '@heddle/contracts-messages';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { WantedPool, WorkerProvider } from '@heddle/deployments';
import type { LocalWorkers } from './local-workers.js';

type StartPool = (pool: WantedPool) => Promise<LocalWorkers>;

interface OwnPool {
  readonly pool: WantedPool;
  /** When the start delay is over; null: it has not begun. */
  dueAt: number | null;
  /** Null during the delay. */
  worker: Promise<LocalWorkers> | null;
  /** Once they were started: why they do not poll yet. A start that failed says why. */
  waitsFor: () => string | null;
  /** With other slots: it serves until this one starts. */
  older: OwnPool | null;
}

/** The provider `local`: workers of deployments inside this process (accounts, Providers). */
export class LocalProvider implements WorkerProvider {
  readonly #pools = new Map<string, OwnPool>();
  /** Keys of the pools of each deployment. */
  readonly #keys = new Map<DeploymentId, ReadonlySet<string>>();
  /** Keys of the pools without a worker yet. */
  readonly #missing = new Set<string>();
  readonly #leaving = new Set<Promise<void>>();
  #startPool: StartPool | null = null;
  #onError: (error: unknown) => void = () => undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Workers can be started from now on. */
  attach(startPool: StartPool, onError: (error: unknown) => void): void {
    this.#startPool = startPool;
    this.#onError = onError;
  }

  async want(changed: ReadonlyMap<DeploymentId, readonly WantedPool[]>): Promise<void> {
    for (const [id, pools] of changed) this.#change(id, pools);
    if (this.#startPool === null) return;
    for (const key of [...this.#missing]) {
      const own = this.#pools.get(key)!;
      own.dueAt ??= this.now() + own.pool.startDelayS * 1_000;
      if (this.now() >= own.dueAt) await this.#begin(key, own);
    }
  }

  isTaken(pool: Pick<WantedPool, 'deploymentId' | 'environment'>): boolean {
    const own = this.#pools.get(keyOf(pool));
    return own !== undefined && (own.worker !== null || own.older !== null);
  }

  waitsFor(pool: Pick<WantedPool, 'deploymentId' | 'environment'>): string | null {
    return this.#pools.get(keyOf(pool))?.waitsFor() ?? null;
  }

  async stop(): Promise<void> {
    this.#startPool = null;
    for (const [key, own] of this.#pools) this.#remove(key, own);
    await Promise.all(this.#leaving);
  }

  #change(id: DeploymentId, pools: readonly WantedPool[]): void {
    const wanted = new Map(pools.map((pool) => [keyOf(pool), pool]));
    for (const key of this.#keys.get(id) ?? []) {
      const own = this.#pools.get(key);
      if (own !== undefined && !wanted.has(key)) this.#remove(key, own);
    }
    if (wanted.size === 0) this.#keys.delete(id);
    else this.#keys.set(id, new Set(wanted.keys()));
    for (const [key, pool] of wanted) this.#add(key, pool);
  }

  /** Other slots need other workers; those that were there serve until the new ones start. */
  #add(key: string, pool: WantedPool): void {
    const former = this.#pools.get(key) ?? null;
    if (former?.pool.slots === pool.slots) return;
    const older = former?.worker == null ? (former?.older ?? null) : former;
    this.#pools.set(key, { pool, dueAt: null, worker: null, waitsFor: () => null, older });
    this.#missing.add(key);
  }

  async #begin(key: string, own: OwnPool): Promise<void> {
    own.worker = this.#startPool!(own.pool);
    try {
      const workers = await own.worker;
      own.waitsFor = () => workers.waitsFor();
      this.#missing.delete(key);
      if (own.older !== null) this.#drain(own.older);
      own.older = null;
    } catch (error) {
      // The next look tries again; other pools do not wait for this one.
      own.worker = null;
      own.dueAt = null;
      own.waitsFor = () => `the workers were not started and are tried again: ${errorMessage(error)}`;
      this.#onError(error);
    }
  }

  #remove(key: string, own: OwnPool): void {
    this.#pools.delete(key);
    this.#missing.delete(key);
    this.#drain(own);
  }

  #drain({ worker, older }: OwnPool): void {
    if (older !== null) this.#drain(older);
    if (worker === null) return;
    const left = worker.then((one) => one.drain()).finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }
}

function keyOf({ deploymentId, environment: { revision } }: Pick<WantedPool, 'deploymentId' | 'environment'>): string {
  return poolKey({ deploymentId, revision });
}
