import type { DeploymentProvider } from '@heddle/contracts-messages';
import type { Environment } from '@heddle/deployments-domain';
import type { StoredDeployment } from '../commit-events/deployment-log.js';
import type { WorkerProviders } from './worker-provider.js';

/** The providers of this service, and the one of a deployment that names none. */
export class OwnProviders {
  constructor(private readonly providers: WorkerProviders) {}

  has(provider: DeploymentProvider): boolean {
    return this.providers[provider] !== undefined;
  }

  /** Why no worker of the environment polls yet; null: not known here. */
  waitsFor({ id, state }: StoredDeployment, environment: Environment): string | null {
    return this.providers[state.facts.provider]?.waitsFor?.({ deploymentId: id, environment }) ?? null;
  }

  get default(): DeploymentProvider {
    return this.has('local') ? 'local' : 'external';
  }
}
