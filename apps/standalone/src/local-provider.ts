import { poolKey } from '@heddle/deployments';
import type { WantedPool, WorkerProvider } from '@heddle/deployments';
import type { Worker } from '@heddle/worker';

type StartPool = (pool: WantedPool) => Promise<Pick<Worker, 'drain'>>;

interface OwnPool {
  readonly slots: number;
  /** When the start delay is over. */
  readonly dueAt: number;
  /** Null during the delay. */
  worker: Promise<Pick<Worker, 'drain'>> | null;
}

/** The provider `local`: workers of deployments inside this process (accounts, Providers). */
export class LocalProvider implements WorkerProvider {
  readonly #pools = new Map<string, OwnPool>();
  readonly #leaving = new Set<Promise<void>>();
  #startPool: StartPool | null = null;
  #onError: (error: unknown) => void = () => undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Workers can be started from now on. */
  attach(startPool: StartPool, onError: (error: unknown) => void): void {
    this.#startPool = startPool;
    this.#onError = onError;
  }

  async want(pools: readonly WantedPool[]): Promise<ReadonlySet<string>> {
    if (this.#startPool === null) return new Set();
    const wanted = new Map(pools.map((pool) => [poolKey(pool), pool]));
    for (const [key, own] of this.#pools) {
      // Other slots need another worker; jobs of the older one go on.
      if (wanted.get(key)?.slots !== own.slots) this.#remove(key, own);
    }
    const taken = new Set<string>();
    for (const [key, pool] of wanted) {
      const own = this.#pools.get(key) ?? this.#add(key, pool);
      if (own.worker === null && this.now() >= own.dueAt) await this.#begin(key, own, pool);
      if (own.worker !== null) taken.add(key);
    }
    return taken;
  }

  async stop(): Promise<void> {
    this.#startPool = null;
    for (const [key, own] of this.#pools) this.#remove(key, own);
    await Promise.all(this.#leaving);
  }

  #add(key: string, { slots, startDelayS }: WantedPool): OwnPool {
    const own = { slots, dueAt: this.now() + startDelayS * 1_000, worker: null };
    this.#pools.set(key, own);
    return own;
  }

  async #begin(key: string, own: OwnPool, pool: WantedPool): Promise<void> {
    own.worker = this.#startPool!(pool);
    try {
      await own.worker;
    } catch (error) {
      // The next look tries again; other pools do not wait for this one.
      own.worker = null;
      this.#pools.delete(key);
      this.#onError(error);
    }
  }

  #remove(key: string, { worker }: OwnPool): void {
    this.#pools.delete(key);
    if (worker === null) return;
    const left = worker.then((one) => one.drain()).finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }
}
