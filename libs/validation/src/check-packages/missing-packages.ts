import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { NODE_PACKAGES_PORT } from '@heddle/contracts-messages';
import type { NodePackage, NodePackagesPort } from '@heddle/contracts-messages';

/** An operator's command waits so long for the registry. */
const MAX_WAIT_MS = 5_000;

/** Which packages an environment cannot pin: those that nobody could install from the registry. */
@Injectable()
export class MissingPackages {
  constructor(
    @Optional()
    @Inject(NODE_PACKAGES_PORT)
    private readonly registry: Pick<NodePackagesPort, 'installable'> | null,
  ) {}

  /** Null: the registry does not answer. Without a registry, none is missing. */
  async of(packages: readonly NodePackage[]): Promise<readonly NodePackage[] | null> {
    if (this.registry === null || packages.length === 0) return [];
    const late = new AbortController();
    try {
      const silence = delay(MAX_WAIT_MS, null, { signal: late.signal, ref: false });
      const found = await Promise.race([this.registry.installable(packages), silence]);
      if (found === null) return null;
      const names = new Set(found.map(nameOf));
      return packages.filter((one) => !names.has(nameOf(one)));
    } catch {
      return null;
    } finally {
      late.abort();
    }
  }
}

function nameOf({ nodeId, version }: NodePackage): string {
  return `${nodeId}@${version}`;
}
