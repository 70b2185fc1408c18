import { Inject, Injectable, Optional } from '@nestjs/common';
import { VALIDATION_PORT } from '@heddle/contracts-messages';
import type { DeploymentAnswer, DeploymentRefusal, EnvironmentSpec, ValidationPort } from '@heddle/contracts-messages';

const SHOWN = 5;

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
    if (missing === null) return { kind: 'state', message: UNCHECKED };
    return missing.length === 0 ? null : { kind: 'option', message: missingText(missing) };
  }
}

const UNCHECKED =
  'The registry does not answer, so the packages of the environment cannot be checked. Send the command again later.';

function missingText(missing: Awaited<ReturnType<ValidationPort['missingPackages']>> & object): string {
  const names = missing.slice(0, SHOWN).map(({ nodeId, version }) => `${nodeId}@${version}`);
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
  return (
    `The registry has no version ${names.join(', ')}${more} that can be installed. ` +
    'Publish it there, or remove it from the packages of the environment.'
  );
}
