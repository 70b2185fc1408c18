import { Injectable } from '@nestjs/common';
import type { DeploymentName, GivenOptions, EnvironmentSpec } from '@heddle/contracts-messages';
import { DEFAULT_DEPLOYMENT, refuseChange } from '@heddle/contracts-messages';
import { changeOptions, deleteDeployment, drain, pause, repin, resume, start } from '@heddle/deployments-domain';
import type { DeploymentDecision, DeploymentState } from '@heddle/deployments-domain';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import type { CommitAnswer } from '../commit-events/deployment-log.js';
import { StoredCatalogues } from '../commit-events/stored-catalogues.js';
import type { ChangeAnswer } from '../create-deployment/create-deployment.handler.js';
import { DeploymentsSettings } from '../settings.js';
import { WorkerPresence } from '../watch-workers/worker-presence.js';
import { checkedOptions, environmentRefusal, unknownCatalogue } from './check-options.js';
import { nothingChanged, refusalOf, unknown } from './refusals.js';
import type { DeploymentChange } from './refusals.js';

/** A label is never given again: without it the service would serve nothing, for ever. */
const SERVES_EVERY_HOST = refuseChange('state', { case: 'serves_every_host' });

/** The operator's commands on a deployment that exists. */
@Injectable()
export class ChangeDeploymentHandler {
  constructor(
    private readonly log: DeploymentLog,
    private readonly catalogues: StoredCatalogues,
    private readonly presence: WorkerPresence,
    private readonly settings: DeploymentsSettings,
  ) {}

  async set(name: DeploymentName, given: GivenOptions): Promise<ChangeAnswer> {
    const found = await this.log.find(name);
    const before = found?.state.facts.options;
    const checked = checkedOptions(given, before);
    if (!checked.ok) return checked;
    // The change is made to the options under the lock: another one may have come in between.
    return await this.#change(name, 'set', (state) => {
      const now = state.status === 'uncreated' ? before : state.facts.options;
      const value = checkedOptions(given, now);
      return changeOptions(state, value.ok ? value.value : checked.value);
    });
  }

  async repin(name: DeploymentName, environment: EnvironmentSpec): Promise<ChangeAnswer> {
    const refusal = environmentRefusal(environment);
    if (refusal !== null) return { ok: false, refusal };
    const found = await this.log.find(name);
    if (found === null || found.state.status === 'deleted') return { ok: false, refusal: unknown(name) };
    const pinned = await this.catalogues.pin(environment);
    if (pinned === null) return { ok: false, refusal: unknownCatalogue(environment) };
    return await this.#change(name, 'repin', (state) => repin(state, pinned));
  }

  async pause(name: DeploymentName): Promise<ChangeAnswer> {
    return await this.#change(name, 'pause', pause);
  }

  async resume(name: DeploymentName): Promise<ChangeAnswer> {
    const found = await this.log.find(name);
    const revision = found?.state.facts.environment.revision;
    const pools = found === null ? [] : await this.presence.of([found.id]);
    const polls = pools.some((pool) => pool.revision === revision && pool.workers > 0);
    return await this.#change(name, 'resume', (state) => resume(state, polls));
  }

  async drain(name: DeploymentName): Promise<ChangeAnswer> {
    return await this.#change(name, 'drain', drain);
  }

  async start(name: DeploymentName): Promise<ChangeAnswer> {
    return await this.#change(name, 'start', start);
  }

  async delete(name: DeploymentName): Promise<ChangeAnswer> {
    const { label, stage } = DEFAULT_DEPLOYMENT;
    const isDefault = name.label === label && name.stage === stage;
    if (isDefault && this.settings.everyHost !== null) return { ok: false, refusal: SERVES_EVERY_HOST };
    const found = await this.log.find(name);
    const hasJobs = found !== null && (await this.presence.hasJobs(found.id));
    return await this.#change(name, 'delete', (state) => deleteDeployment(state, hasJobs));
  }

  async #change(
    name: DeploymentName,
    change: DeploymentChange,
    decide: (state: DeploymentState) => DeploymentDecision,
  ): Promise<ChangeAnswer> {
    const answer: CommitAnswer = await this.log.change(name, decide);
    if (!answer.ok) return { ok: false, refusal: refusalOf(answer, name, change) };
    const { deployment, events } = answer;
    return { ok: true, deployment, ...(events.length > 0 ? {} : { note: nothingChanged(deployment, change) }) };
  }
}
