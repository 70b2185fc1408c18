import type { DeploymentProvider } from '@heddle/contracts-messages';
import type { WorkerProviders } from './worker-provider.js';

/** The providers of this service, and the one of a deployment that names none. */
export class OwnProviders {
  constructor(private readonly providers: WorkerProviders) {}

  has(provider: DeploymentProvider): boolean {
    return this.providers[provider] !== undefined;
  }

  get default(): DeploymentProvider {
    return this.has('local') ? 'local' : 'external';
  }
}
