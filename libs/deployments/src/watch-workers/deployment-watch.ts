import { Inject, Injectable } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, nameText, WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { DeploymentId, Intake, OpenJobs, WorkerPool, WorkerPoolsPort } from '@heddle/contracts-messages';
import { environmentsInUse, evolve, mayStep, observe } from '@heddle/deployments-domain';
import type { CreatedDeployment, DeploymentEvent, DeploymentState, Observation } from '@heddle/deployments-domain';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import type { StoredDeployment } from '../commit-events/deployment-log.js';
import { MemoryDirectory } from '../follow-directory/memory-directory.js';
import { deploymentsFailpoint } from '../failpoints.js';
import { DeploymentsSettings } from '../settings.js';
import { KnownDeployments } from './known-deployments.js';
import { SeenPools } from './seen-pools.js';
import { SharedLimits } from './shared-limits.js';
import { WorkerPresence } from './worker-presence.js';
import { WORKER_PROVIDERS } from './worker-provider.js';
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

/**
 * Looks at workers and jobs, and takes the next step in the life of each deployment. Every jobs replica looks: the lock
 * on the row lets one of them commit a step, and the others see it done. A look reads what changed since the last one,
 * and steps only where something may happen, so that idle deployments cost nothing.
 */
@Injectable()
export class DeploymentWatch {
  /** Silence counts from here at the earliest: after a restart workers need time to come back. */
  readonly #begun = performance.now();
  readonly #known = new KnownDeployments();
  readonly #seen = new SeenPools();
  /** Deployments that may step without a change of themselves or of their workers: with time, or as jobs end. */
  readonly #due = new Set<DeploymentId>();

  constructor(
    private readonly log: DeploymentLog,
    private readonly presence: WorkerPresence,
    @Inject(WORKER_POOLS_PORT) private readonly jobs: WorkerPoolsPort,
    private readonly rest: WatchParts,
  ) {}

  /** Resolves with the number of deployments. */
  async look(): Promise<number> {
    const changes = await this.log.changes(this.#known.next);
    this.#known.apply(changes);
    const { changed } = this.#known;
    // Before any step: a deployment that is seen as ready must already take jobs.
    await this.jobs.setIntakes(changed.flatMap(intakeOfLive));
    if (changed.length > 0) this.jobs.pause(this.#known.paused);
    await this.rest.limits.share(changed);
    await this.presence.write();
    await this.#provide(changed);
    const moved = this.#seen.apply(await this.presence.changes(this.#seen.next));
    for (const id of [...changed.map((one) => one.id), ...moved]) this.#mark(id);
    for (const { id, state } of changed) if (state.status === 'deleted') this.#seen.remove(id);
    this.#known.settle();
    await this.#stepDue(changes.now);
    return this.#known.count;
  }

  /** Null: deleted, or not known yet. */
  nameOf(id: DeploymentId): string | null {
    const known = this.#known.get(id);
    return known === undefined ? null : nameText(known.state.facts);
  }

  /** Since another replica had a worker of the pool, as of the last look. */
  silentElsewhereMs({ deploymentId, revision }: WorkerPool): number {
    return this.#seen.silentElsewhereMs(deploymentId, revision, this.presence.replica);
  }

  async leave(): Promise<void> {
    await this.presence.leave();
  }

  async #provide(changed: readonly StoredDeployment[]): Promise<void> {
    for (const [name, provider] of Object.entries(this.rest.providers)) {
      const own = changed.filter(({ state }) => state.facts.provider === name);
      await provider.want(new Map(own.map((deployment) => [deployment.id, wantedPools(deployment)])));
    }
  }

  #mark(id: DeploymentId): void {
    const deployment = this.#known.get(id);
    if (deployment !== undefined && mayStep(deployment.state, this.#seen.polling(id))) this.#due.add(id);
    else this.#due.delete(id);
  }

  async #stepDue(now: string): Promise<void> {
    const due = [...this.#due].flatMap((id) => this.#known.get(id) ?? []);
    const jobs = await this.jobs.openJobs(due.filter(waitsForJobs).map(({ id }) => id));
    for (const deployment of due) await this.#step(deployment, now, jobs);
  }

  async #step(deployment: StoredDeployment, readAt: string, open: readonly OpenJobs[]): Promise<void> {
    const { id, state: before } = deployment;
    const seen = this.#observed(deployment, open);
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

  #observed({ id, state }: StoredDeployment, jobs: readonly OpenJobs[]): Omit<Observation, 'now'> {
    const { silenceMs, repinTimeoutMs, settleMs } = this.rest.settings;
    const { environment, provider } = state.facts;
    return {
      isTaken: this.rest.providers[provider]?.isTaken({ deploymentId: id, environment }) ?? false,
      polling: this.#seen.polling(id),
      silentMs: Math.min(this.#seen.silentMs(id, environment.revision), performance.now() - this.#begun),
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

/** A step of it depends on which jobs have not ended. */
function waitsForJobs({ state: { status, facts } }: StoredDeployment): boolean {
  return status === 'draining' || facts.retiring.length > 0;
}

function endsAnIntake({ type }: DeploymentEvent): boolean {
  return type === 'RevisionRetired' || type === 'DeploymentStopped';
}

/** What the deployment takes in `state`, as its stored version says. */
function intakeOf({ id, state: stored }: StoredDeployment, state: CreatedDeployment): Intake {
  const revisions = environmentsInUse(state).map(({ revision }) => revision);
  return { deploymentId: id, version: stored.facts.version, revisions };
}

function intakeOfLive(deployment: StoredDeployment): readonly Intake[] {
  return deployment.state.status === 'deleted' ? [] : [intakeOf(deployment, deployment.state)];
}

function afterEvents(state: CreatedDeployment, events: readonly DeploymentEvent[]): CreatedDeployment {
  const after = events.reduce<DeploymentState>((now, event) => evolve(now, { event, recordedAt: '' }), state);
  return after.status === 'uncreated' ? state : after;
}
