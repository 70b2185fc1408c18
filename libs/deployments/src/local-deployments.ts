import { Injectable } from '@nestjs/common';
import type {
  DeploymentAnswer,
  DeploymentId,
  DeploymentName,
  GivenOptions,
  DeploymentsPort,
  DeploymentView,
  EnvironmentSpec,
  NewDeployment,
} from '@heddle/contracts-messages';
import { ChangeDeploymentHandler } from './change-deployment/change-deployment.handler.js';
import { unknown } from './change-deployment/refusals.js';
import { DeploymentLog } from './commit-events/deployment-log.js';
import type { StoredDeployment } from './commit-events/deployment-log.js';
import { CreateDeploymentHandler } from './create-deployment/create-deployment.handler.js';
import type { ChangeAnswer } from './create-deployment/create-deployment.handler.js';
import { ShowDeploymentsHandler } from './show-deployments/show-deployments.handler.js';

/** The operator's calls, answered in this process. */
@Injectable()
export class LocalDeployments implements DeploymentsPort {
  constructor(
    private readonly created: CreateDeploymentHandler,
    private readonly changed: ChangeDeploymentHandler,
    private readonly shown: ShowDeploymentsHandler,
    private readonly log: DeploymentLog,
  ) {}

  create(deployment: NewDeployment): Promise<DeploymentAnswer> {
    return this.#answer(this.created.handle(deployment));
  }

  list(): Promise<readonly DeploymentView[]> {
    return this.shown.all();
  }

  async show(name: DeploymentName): Promise<DeploymentAnswer> {
    const found = await this.#live(name);
    if (found === null) return { ok: false, refusal: unknown(name) };
    return { ok: true, value: (await this.shown.views([found]))[0]! };
  }

  set(name: DeploymentName, options: GivenOptions): Promise<DeploymentAnswer> {
    return this.#answer(this.changed.set(name, options));
  }

  repin(name: DeploymentName, environment: EnvironmentSpec): Promise<DeploymentAnswer> {
    return this.#answer(this.changed.repin(name, environment));
  }

  pause(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#answer(this.changed.pause(name));
  }

  resume(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#answer(this.changed.resume(name));
  }

  drain(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#answer(this.changed.drain(name));
  }

  start(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#answer(this.changed.start(name));
  }

  delete(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#answer(this.changed.delete(name));
  }

  async idOf(name: DeploymentName): Promise<DeploymentId | null> {
    return (await this.#live(name))?.id ?? null;
  }

  async #live(name: DeploymentName): Promise<StoredDeployment | null> {
    const found = await this.log.find(name);
    return found?.state.status === 'deleted' ? null : found;
  }

  async #answer(change: Promise<ChangeAnswer>): Promise<DeploymentAnswer> {
    const answer = await change;
    if (!answer.ok) return answer;
    const { deployment, note } = answer;
    const value = (await this.shown.views([deployment]))[0]!;
    return { ok: true, value, ...(note === undefined ? {} : { note }) };
  }
}
