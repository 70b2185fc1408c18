import { Inject, Injectable } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentId, Intake, OpenJobs, WorkerPoolsPort } from '@heddle/contracts-messages';
import { environmentsInUse, evolve, observe } from '@heddle/deployments-domain';
import type { CreatedDeployment, DeploymentEvent, DeploymentState, Observation } from '@heddle/deployments-domain';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import type { LiveRow, StoredDeployment } from '../commit-events/deployment-log.js';
import { MemoryDirectory } from '../follow-directory/memory-directory.js';
import { deploymentsFailpoint } from '../failpoints.js';
import { DeploymentsSettings } from '../settings.js';
import { SharedLimits } from './shared-limits.js';
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
    readonly limits: SharedLimits,
  ) {}
}

/** What one look saw. */
export interface Look {
  readonly deployments: readonly LiveRow[];
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

  /** The versions whose intake this process has set. */
  readonly #intakes = new Map<DeploymentId, number>();

  constructor(
    private readonly log: DeploymentLog,
    private readonly presence: WorkerPresence,
    @Inject(WORKER_POOLS_PORT) private readonly jobs: WorkerPoolsPort,
    private readonly rest: WatchParts,
  ) {}

  async look(): Promise<Look> {
    const deployments = await this.log.live();
    await this.#openIntakes(deployments);
    this.jobs.pause(deployments.filter(({ state }) => state.facts.isPaused).map(({ id }) => id));
    await this.rest.limits.share(deployments);
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

  /** Before any step: a deployment that is seen as ready must already take jobs. */
  async #openIntakes(deployments: readonly StoredDeployment[]): Promise<void> {
    const changed = deployments.filter(({ id, state }) => this.#intakes.get(id) !== state.facts.version);
    await this.jobs.setIntakes(changed.map((deployment) => intakeOf(deployment, deployment.state)));
    for (const { id, state } of changed) this.#intakes.set(id, state.facts.version);
  }

  async #step(deployment: LiveRow, look: Omit<Look, 'deployments'>, taken: ReadonlySet<string>): Promise<void> {
    const { id, state: before, readAt } = deployment;
    const seen = this.#observed(deployment, look, taken);
    // The row is locked only if there seems to be a step; the decision under the lock is the one that counts.
    const likely = observe(before, { ...seen, now: readAt });
    if (!likely.ok || likely.events.length === 0) return;
    const jobs = likely.events.some(endsAnIntake) ? await this.#jobsBehindIntake(deployment, likely.events) : null;
    const { version } = before.facts;
    await this.log.change(id, (state, now) => {
      // Of another version, another replica may have opened the intake again.
      const isBehind = jobs !== null && state.status !== 'uncreated' && state.facts.version === version;
      if (!isBehind) return observe(state, { ...seen, jobs: null, now });
      // With less jobs, or later, more could end than the intake was closed for.
      return observe(state, { ...seen, jobs: new Set([...jobs, ...(seen.jobs ?? [])]), now: readAt });
    });
  }

  /**
   * The jobs once no more are accepted for the revisions that the events end. A job that arrived late is among them, so
   * that no revision loses its workers, and no deployment stops, before its last job has ended.
   */
  async #jobsBehindIntake(
    deployment: StoredDeployment,
    events: readonly DeploymentEvent[],
  ): Promise<ReadonlySet<number> | null> {
    const { id } = deployment;
    const standing = await this.jobs.setIntakes([intakeOf(deployment, afterEvents(deployment.state, events))]);
    deploymentsFailpoint('deployments.intake.closed');
    return standing.has(id) ? new Set((await this.jobs.openJobs([id])).map(({ revision }) => revision)) : null;
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

function wantedPools({ id, state }: StoredDeployment): readonly WantedPool[] {
  const { slots, startDelayS } = state.facts.options;
  return environmentsInUse(state).map((environment) => ({ deploymentId: id, environment, slots, startDelayS }));
}

function endsAnIntake({ type }: DeploymentEvent): boolean {
  return type === 'RevisionRetired' || type === 'DeploymentStopped';
}

/** What the deployment takes in `state`, as its stored version says. */
function intakeOf({ id, state: stored }: StoredDeployment, state: CreatedDeployment): Intake {
  const revisions = environmentsInUse(state).map(({ revision }) => revision);
  return { deploymentId: id, version: stored.facts.version, revisions };
}

function afterEvents(state: CreatedDeployment, events: readonly DeploymentEvent[]): CreatedDeployment {
  const after = events.reduce<DeploymentState>((now, event) => evolve(now, { event, recordedAt: '' }), state);
  return after.status === 'uncreated' ? state : after;
}
