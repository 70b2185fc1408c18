import { setTimeout as delay } from 'node:timers/promises';
import { poolKey } from '@heddle/contracts-messages';
import type { WorkerPool } from '@heddle/contracts-messages';
import type { AdminDeployments, ShownDeployment } from './admin-deployments.js';
import type { AskedDeployment } from './asked-deployments.js';

/** A worker process that was started. */
interface StartedWorker {
  stop(): Promise<unknown>;
}

export interface WorkerFleet {
  /** Starts a worker of the pool, with a token of the pool; resolves when it is ready. */
  start(name: string, pool: WorkerPool): Promise<StartedWorker>;
  /** Prints a line for the operator. */
  say(line: string): void;
}

interface OwnWorker {
  readonly label: string;
  readonly pool: WorkerPool;
  readonly started: Promise<StartedWorker>;
}

/** Interval of the looks at deployments: an operator may have pinned another environment. */
const LOOK_INTERVAL_MS = 2_000;
/** A worker that is ready opens its stream at once; the jobs service looks at workers twice a second. */
const TAKEN_TIMEOUT_MS = 20_000;
const TAKEN_POLL_INTERVAL_MS = 200;

/**
 * The workers of a cluster's deployments. The pool of a worker is fixed by its token, so each revision of an
 * environment has workers of its own: a re-pin starts those of the next revision, and those of an older one stop once
 * it has retired.
 */
export class DeploymentWorkers {
  /** By their names. */
  readonly #workers = new Map<string, OwnWorker>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #away = false;

  constructor(
    private readonly asked: readonly AskedDeployment[],
    private readonly admin: Pick<AdminDeployments, 'ensure' | 'list'>,
    private readonly fleet: WorkerFleet,
  ) {}

  /** Makes the deployments that are not there yet; resolves with all of them. */
  async make(engine: string): Promise<readonly ShownDeployment[]> {
    const shown: ShownDeployment[] = [];
    for (const { label } of this.asked) shown.push(await this.admin.ensure(label, engine));
    return shown;
  }

  /** Starts the workers that the deployments need; resolves when they are ready. */
  async startFor(shown: readonly ShownDeployment[]): Promise<void> {
    const wanted = shown.flatMap(({ label, pools }) => pools.flatMap((pool) => this.#workersOf(label, pool)));
    await Promise.all(wanted.map(({ started }) => started));
  }

  /** Resolves when the jobs service has heard of the workers, or after a while: a start does not fail for it. */
  async taken(): Promise<void> {
    const deadline = performance.now() + TAKEN_TIMEOUT_MS;
    while (!this.#stopped && performance.now() < deadline) {
      if (!(await this.#ours()).some(({ isStarting }) => isStarting)) return;
      await delay(TAKEN_POLL_INTERVAL_MS);
    }
  }

  /** From now on workers follow the revisions of the deployments. */
  follow(): void {
    this.#timer = setTimeout(() => void this.#look(), LOOK_INTERVAL_MS);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #workersOf(label: string, pool: WorkerPool): readonly OwnWorker[] {
    const count = this.asked.find((one) => one.label === label)?.workers ?? 0;
    return Array.from({ length: count }, (_, at) => {
      const name = `worker-${label}-r${pool.revision}-${at + 1}`;
      return this.#workers.get(name) ?? this.#add(name, label, pool);
    });
  }

  #add(name: string, label: string, pool: WorkerPool): OwnWorker {
    const own = { label, pool, started: this.fleet.start(name, pool) };
    this.#workers.set(name, own);
    // The next look tries again.
    own.started.catch(() => this.#workers.delete(name));
    return own;
  }

  async #ours(): Promise<readonly ShownDeployment[]> {
    return (await this.admin.list()).filter(({ label }) => this.asked.some((one) => one.label === label));
  }

  async #look(): Promise<void> {
    try {
      const shown = await this.#ours();
      if (this.#stopped) return;
      await this.startFor(shown);
      await this.#retire(shown);
      this.#away = false;
    } catch (error) {
      // One line for an outage; a gateway that ended is started again.
      if (!this.#away && !this.#stopped) this.fleet.say(`the deployments were not read: ${String(error)}`);
      this.#away = true;
    }
    if (!this.#stopped) this.follow();
  }

  /** Stops workers of revisions that are no longer needed. */
  async #retire(shown: readonly ShownDeployment[]): Promise<void> {
    const wanted = new Set(shown.flatMap(({ pools }) => pools.map(poolKey)));
    for (const [name, { label, pool, started }] of this.#workers) {
      if (wanted.has(poolKey(pool))) continue;
      this.#workers.delete(name);
      this.fleet.say(`${name} stops: no job needs revision ${pool.revision} of ${label}`);
      await (await started).stop();
    }
  }
}
