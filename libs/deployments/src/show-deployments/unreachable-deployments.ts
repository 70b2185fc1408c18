import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DEFAULT_DEPLOYMENT } from '@heddle/contracts-messages';
import { DeploymentLog } from '../commit-events/deployment-log.js';
import { DeploymentsSettings } from '../settings.js';

/** Warns at the start of a service whose setting of the hosts is missing: requests to them are then served as others. */
@Injectable()
export class UnreachableDeployments implements OnApplicationBootstrap {
  constructor(
    private readonly log: DeploymentLog,
    private readonly settings: DeploymentsSettings,
    private readonly logger: BackgroundLogger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { host, everyHost } = this.settings;
    if (host !== null) return;
    const { label, stage } = DEFAULT_DEPLOYMENT;
    const live = await this.log.live();
    // Without hosts, `default` serves every request of the dedicated surface.
    const unreachable = live.filter(
      ({ state: { facts } }) => everyHost === null || facts.label !== label || facts.stage !== stage,
    );
    if (unreachable.length === 0) return;
    const deployments = unreachable.length === 1 ? '1 deployment' : `${unreachable.length} deployments`;
    this.logger.warn(
      `HEDDLE_DEPLOYMENT_HOST is not set: ${deployments} cannot be reached, because no host leads to one`,
      {
        deployments: unreachable.length,
      },
    );
  }
}
