import { Inject, Injectable, Optional } from '@nestjs/common';
import { refuseChange, VALIDATION_PORT } from '@heddle/contracts-messages';
import type { DeploymentAnswer, DeploymentRefusal, EnvironmentSpec, ValidationPort } from '@heddle/contracts-messages';

/** An environment is pinned only if its packages can be installed from the registry (registry decisions, Catalogue). */
@Injectable()
export class CheckPackages {
  constructor(
    @Optional()
    @Inject(VALIDATION_PORT)
    private readonly validation: Pick<ValidationPort, 'missingPackages'> | undefined,
  ) {}

  /** What `pin` answers, or the refusal of a package. */
  async before(environment: EnvironmentSpec, pin: () => Promise<DeploymentAnswer>): Promise<DeploymentAnswer> {
    const refusal = await this.#refusalOf(environment);
    return refusal === null ? await pin() : { ok: false, refusal };
  }

  async #refusalOf({ packages }: EnvironmentSpec): Promise<DeploymentRefusal | null> {
    if (packages.length === 0 || this.validation === undefined) return null;
    const asked = packages.map(({ id, version }) => ({ nodeId: id, version }));
    const missing = await this.validation.missingPackages(asked).catch(() => null);
    if (missing === null) return refuseChange('state', { case: 'packages_unchecked' });
    const names = missing.map(({ nodeId, version }) => `${nodeId}@${version}`);
    return names.length === 0 ? null : refuseChange('option', { case: 'packages', packages: names });
  }
}
