import { Inject, Injectable } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { OpenJobs, WorkerPoolsPort } from '@heddle/contracts-messages';
import { observe } from '@heddle/deployments-domain';
import type { Observation } from '@heddle/deployments-domain';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import type { StoredDeployment } from '../commit-events/deployment-log.js';
import { MemoryDirectory } from '../follow-directory/memory-directory.js';
import { DeploymentsSettings } from '../settings.js';
import { WorkerPresence } from './worker-presence.js';
import type { SeenPool } from './worker-presence.js';
import { poolKey, WORKER_PROVIDERS } from './worker-provider.js';
import type { WantedPool, WorkerProviders } from './worker-provider.js';

/** What a look is made with. */
@Injectable()
export class WatchParts {
  constructor(
    readonly settings: DeploymentsSettings,
    @Inject(DEPLOYMENT_DIRECTORY) readonly directory: MemoryDirectory,
    @Inject(WORKER_PROVIDERS) readonly providers: WorkerProviders,
  ) {}
}

/** What one look saw. */
export interface Look {
  readonly deployments: readonly StoredDeployment[];
  readonly pools: readonly SeenPool[];
  readonly jobs: readonly OpenJobs[];
}

/**
 * Looks at workers and jobs, and takes the next step in the life of each deployment. Every jobs replica looks: the lock
 * on the row lets one of them commit a step, and the others see it done.
 */
@Injectable()
export class DeploymentWatch {
  /** Silence counts from here at the earliest: after a restart workers need time to come back. */
  readonly #begun = performance.now();

  constructor(
    private readonly log: DeploymentLog,
    private readonly presence: WorkerPresence,
    @Inject(WORKER_POOLS_PORT) private readonly jobs: WorkerPoolsPort,
    private readonly rest: WatchParts,
  ) {}

  async look(): Promise<Look> {
    const deployments = await this.log.live();
    this.jobs.pause(deployments.filter(({ state }) => state.facts.isPaused).map(({ id }) => id));
    await this.presence.write();
    const taken = await this.#provide(deployments);
    const [pools, jobs] = await Promise.all([this.presence.all(), this.jobs.openJobs(deployments.map(({ id }) => id))]);
    for (const deployment of deployments) await this.#step(deployment, { pools, jobs }, taken);
    return { deployments, pools, jobs };
  }

  async leave(): Promise<void> {
    await this.presence.leave();
  }

  async #provide(deployments: readonly StoredDeployment[]): Promise<ReadonlySet<string>> {
    const taken = new Set<string>();
    for (const [name, provider] of Object.entries(this.rest.providers)) {
      const own = deployments.filter(({ state }) => state.facts.provider === name);
      for (const key of await provider.want(own.flatMap(wantedPools))) taken.add(key);
    }
    return taken;
  }

  async #step(
    deployment: StoredDeployment,
    look: Omit<Look, 'deployments'>,
    taken: ReadonlySet<string>,
  ): Promise<void> {
    const seen = this.#observed(deployment, look, taken);
    // The row is locked only if there seems to be a step; the decision under the lock is the one that counts.
    const likely = observe(deployment.state, { ...seen, now: new Date().toISOString() });
    if (!likely.ok || (likely.events.length === 0 && deployment.state.status !== 'draining')) return;
    await this.log.change(deployment.id, (state, now) => observe(state, { ...seen, now }));
  }

  #observed(
    { id, state }: StoredDeployment,
    { pools, jobs }: Omit<Look, 'deployments'>,
    taken: ReadonlySet<string>,
  ): Omit<Observation, 'now'> {
    const { silenceMs, repinTimeoutMs, settleMs } = this.rest.settings;
    const own = pools.filter(({ deploymentId }) => deploymentId === id);
    const heard = own.find(({ revision }) => revision === state.facts.environment.revision);
    return {
      isTaken: taken.has(poolKey({ deploymentId: id, environment: state.facts.environment })),
      polling: new Set(own.filter(({ workers }) => workers > 0).map(({ revision }) => revision)),
      silentMs: Math.min(heard?.silentMs ?? Number.POSITIVE_INFINITY, performance.now() - this.#begun),
      jobs: new Set(jobs.filter(({ deploymentId }) => deploymentId === id).map(({ revision }) => revision)),
      silenceMs,
      repinTimeoutMs,
      settleMs,
    };
  }
}

function wantedPools({ id, state: { status, facts } }: StoredDeployment): readonly WantedPool[] {
  if (status === 'stopped' || status === 'deleted') return [];
  const pool = (environment: WantedPool['environment']): WantedPool => ({
    deploymentId: id,
    environment,
    slots: facts.options.slots,
    startDelayS: facts.options.startDelayS,
  });
  const next = facts.next === null ? [] : [pool(facts.next.environment)];
  return [pool(facts.environment), ...next, ...facts.retiring.map(pool)];
}
