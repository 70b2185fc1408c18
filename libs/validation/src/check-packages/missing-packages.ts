import { Inject, Injectable, Optional } from '@nestjs/common';
import { NODE_PACKAGES_PORT } from '@heddle/contracts-messages';
import type { NodePackage, NodePackagesPort } from '@heddle/contracts-messages';
import { answerWithin } from '../ask-registry/answer-within.js';

/** An operator's command waits so long for the registry. */
const MAX_WAIT_MS = 5_000;

/** Which packages an environment cannot pin: those that cannot be installed from the registry. */
@Injectable()
export class MissingPackages {
  constructor(
    @Optional()
    @Inject(NODE_PACKAGES_PORT)
    private readonly registry: Pick<NodePackagesPort, 'installable'> | undefined,
  ) {}

  /** Null: the registry does not answer. Without a registry, none is missing. */
  async of(packages: readonly NodePackage[]): Promise<readonly NodePackage[] | null> {
    if (this.registry === undefined || packages.length === 0) return [];
    const found = await answerWithin(MAX_WAIT_MS, this.registry.installable(packages));
    if (found === null) return null;
    const names = new Set(found.map(nameOf));
    return packages.filter((one) => !names.has(nameOf(one)));
  }
}

function nameOf({ nodeId, version }: NodePackage): string {
  return `${nodeId}@${version}`;
}
