import { Inject, Injectable } from '@nestjs/common';
import { WORKER_POOLS_PORT } from '@heddle/contracts-messages';
import type { WorkerPoolsPort } from '@heddle/contracts-messages';
import type { StoredDeployment } from '../commit-events/deployment-log.js';

/** Gives the jobs service the limits of deployments that changed; each look names them. */
@Injectable()
export class SharedLimits {
  readonly #shared = new Map<string, string>();

  constructor(@Inject(WORKER_POOLS_PORT) private readonly jobs: WorkerPoolsPort) {}

  async share(deployments: readonly StoredDeployment[]): Promise<void> {
    const changed = deployments.flatMap(({ id, state }) => {
      const { options, version } = state.facts;
      if (state.status === 'deleted') {
        this.#shared.delete(id);
        return [];
      }
      const text = JSON.stringify(options.limits);
      return this.#shared.get(id) === text ? [] : [{ deploymentId: id, limits: options.limits, version, text }];
    });
    await this.jobs.limit(changed.map(({ text: _, ...limited }) => limited));
    for (const { deploymentId, text } of changed) this.#shared.set(deploymentId, text);
  }
}
