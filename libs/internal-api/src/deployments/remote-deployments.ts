import type {
  DeploymentAnswer,
  DeploymentFeed,
  DeploymentId,
  DeploymentName,
  GivenOptions,
  DeploymentsPort,
  DeploymentVerb,
  DeploymentView,
  DirectoryChanges,
  EnvironmentSpec,
  NewDeployment,
} from '@heddle/contracts-messages';
import type { ServiceChannel } from '@heddle/platform-service-calls/call';
import { DeploymentsServiceService } from '../generated/heddle/deployments/v1/deployments.js';
import { deploymentAnswerOf, entryOf, nameMessage, viewOf } from './deployments-wire.js';
import { specMessage } from './environment-wire.js';
import { changesMessage } from './options-wire.js';
import { verbMessage } from './verb-wire.js';

/** Time for an answer beside the time that a call waits at the service. */
const ANSWER_MS = 5_000;

/** Deployments of the jobs service in another process. Throws ServiceAwayError if it does not answer. */
export class RemoteDeployments implements DeploymentsPort, DeploymentFeed {
  constructor(private readonly channel: ServiceChannel) {}

  async create({ accountId, provider, environment, options, ...name }: NewDeployment): Promise<DeploymentAnswer> {
    const request = {
      name: nameMessage(name),
      accountId: accountId ?? undefined,
      provider: provider ?? undefined,
      environment: specMessage(environment),
      options: changesMessage(options),
    };
    return deploymentAnswerOf(await this.channel.call(DeploymentsServiceService.create, request));
  }

  async list(): Promise<readonly DeploymentView[]> {
    return (await this.channel.call(DeploymentsServiceService.list, {})).deployments.map(viewOf);
  }

  async show(name: DeploymentName): Promise<DeploymentAnswer> {
    return deploymentAnswerOf(await this.channel.call(DeploymentsServiceService.show, { name: nameMessage(name) }));
  }

  async set(name: DeploymentName, options: GivenOptions): Promise<DeploymentAnswer> {
    const request = { name: nameMessage(name), options: changesMessage(options) };
    return deploymentAnswerOf(await this.channel.call(DeploymentsServiceService.set, request));
  }

  async repin(name: DeploymentName, environment: EnvironmentSpec): Promise<DeploymentAnswer> {
    const request = { name: nameMessage(name), environment: specMessage(environment) };
    return deploymentAnswerOf(await this.channel.call(DeploymentsServiceService.repin, request));
  }

  pause(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#change(name, 'pause');
  }

  resume(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#change(name, 'resume');
  }

  drain(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#change(name, 'drain');
  }

  start(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#change(name, 'start');
  }

  delete(name: DeploymentName): Promise<DeploymentAnswer> {
    return this.#change(name, 'delete');
  }

  async idOf(name: DeploymentName): Promise<DeploymentId | null> {
    const { deploymentId } = await this.channel.call(DeploymentsServiceService.idOf, { name: nameMessage(name) });
    return (deploymentId ?? null) as DeploymentId | null;
  }

  async changes(after: string | null, waitMs: number): Promise<DirectoryChanges> {
    const request = { after: after ?? undefined, waitMs };
    const answer = await this.channel.call(DeploymentsServiceService.changes, request, waitMs + ANSWER_MS);
    return { entries: answer.entries.map(entryOf), next: answer.next };
  }

  async #change(name: DeploymentName, verb: DeploymentVerb): Promise<DeploymentAnswer> {
    const request = { name: nameMessage(name), verb: verbMessage(verb) };
    return deploymentAnswerOf(await this.channel.call(DeploymentsServiceService.change, request));
  }
}
