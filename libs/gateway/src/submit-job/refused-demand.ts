import { Inject, Injectable, Optional } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY, nameText } from '@heddle/contracts-messages';
import type { DeploymentDirectory, DirectoryEntry } from '@heddle/contracts-messages';

/** Longer than an autoscaler needs to notice it: one scrape interval and one polling interval. */
const HOLD_MS = 60_000;

/**
 * Deployments that refused a submission because they have no worker. A deployment that is scaled to zero accepts no job,
 * so its queue stays empty: refusals are the only demand that an autoscaler can see.
 */
@Injectable()
export class RefusedDemand {
  readonly #refusedAt = new Map<DirectoryEntry['deploymentId'], number>();

  constructor(@Optional() @Inject(DEPLOYMENT_DIRECTORY) private readonly directory: DeploymentDirectory | null) {}

  note({ deploymentId, awaitsWorker }: DirectoryEntry, nowMs: number): void {
    if (awaitsWorker) this.#refusedAt.set(deploymentId, nowMs);
  }

  /** 1 for each deployment that still has no worker, by its name. */
  figures(nowMs: number): (readonly [{ readonly deployment: string }, 1])[] {
    const found: (readonly [{ readonly deployment: string }, 1])[] = [];
    for (const [id, refusedAt] of this.#refusedAt) {
      const entry = this.directory?.byId(id) ?? null;
      if (entry?.awaitsWorker !== true || nowMs - refusedAt > HOLD_MS) this.#refusedAt.delete(id);
      else found.push([{ deployment: nameText(entry) }, 1]);
    }
    return found;
  }
}
