import { DEFAULT_DEPLOYMENT, MANAGED_DEPLOYMENT_ID } from '@heddle/contracts-messages';
import type { AccountId, DeploymentDirectory, DeploymentId, DeploymentName, Surface } from '@heddle/contracts-messages';
import { hostName, isHost } from './request-host.js';

export interface SurfaceHostOptions {
  /** HEDDLE_SURFACE, which decides for hosts that belong to no deployment. */
  readonly surface: Surface;
  /** `<label>.<deploymentHost>` and `<label>.stg.<deploymentHost>` are dedicated. */
  readonly deploymentHost: string | null;
  /** The only hosts of the managed surface; empty: every other host is. */
  readonly managedHosts: readonly string[];
}

/** Where a request goes. `accountId`: the only account that may; null: every account. */
interface ServedDeployment {
  readonly deploymentId: DeploymentId;
  readonly accountId: AccountId | null;
}

const MANAGED: ServedDeployment = { deploymentId: MANAGED_DEPLOYMENT_ID, accountId: null };
const STAGING = '.stg';

/** Decides the deployment of a request by its host (accounts, Surface of a request). */
export class SurfaceHosts {
  readonly #surface: Surface;
  readonly #suffix: string | null;
  readonly #managed: ReadonlySet<string>;
  readonly #directory: DeploymentDirectory;

  constructor({ surface, deploymentHost, managedHosts }: SurfaceHostOptions, directory: DeploymentDirectory) {
    this.#surface = surface;
    this.#suffix = deploymentHost === null ? null : `.${hostName(deploymentHost)}`;
    this.#managed = new Set(managedHosts.map(hostName));
    this.#directory = directory;
  }

  /** Null for an unknown host and for a text that is not a host. */
  deploymentOf(host: string): ServedDeployment | null {
    if (!isHost(host)) return null;
    const name = hostName(host);
    const label = this.#labelIn(name);
    if (label !== null) {
      return label.endsWith(STAGING)
        ? this.#deployment({ label: label.slice(0, -STAGING.length), stage: 'staging' })
        : this.#deployment({ label, stage: 'production' });
    }
    if (this.#surface === 'managed') return this.#managed.size === 0 || this.#managed.has(name) ? MANAGED : null;
    return this.#suffix === null ? this.#deployment(DEFAULT_DEPLOYMENT) : null;
  }

  /** The part in front of the host of deployments; empty for that host itself, null for other hosts. */
  #labelIn(name: string): string | null {
    if (this.#suffix === null) return null;
    if (name.endsWith(this.#suffix)) return name.slice(0, -this.#suffix.length);
    return name === this.#suffix.slice(1) ? '' : null;
  }

  #deployment({ label, stage }: DeploymentName): ServedDeployment | null {
    return this.#directory.find(label, stage);
  }
}
