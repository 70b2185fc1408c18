import { DEPLOYMENT_DIRECTORY, DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { DeploymentFeed, DeploymentsPort } from '@heddle/contracts-messages';
import { FollowedDirectory } from '@heddle/deployments/directory';
import { DEPLOYMENTS_METRICS } from '@heddle/deployments/metrics';
import { RefusedDemand } from '@heddle/gateway';
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import type { ServiceProcess } from '../process/service-process.js';

@Module({})
class FollowedDeploymentsModule {}

/** The deployments of another process: the operator's calls, and a directory in memory that follows its changes. */
export async function followedDeployments(
  service: ServiceProcess,
  deployments: DeploymentsPort & DeploymentFeed,
): Promise<DynamicModule> {
  const directory = new FollowedDirectory(deployments, (line, error) =>
    service.logger[error === null ? 'info' : 'warn'](error === null ? {} : { reason: String(error) }, line),
  );
  const name = 'directory of deployments';
  service.addReadiness(
    { name, check: () => (directory.isRead ? null : directory.trouble) },
    { name, optional: true, check: () => (directory.isRead ? directory.trouble : null) },
  );
  service.metrics.gauge(DEPLOYMENTS_METRICS.directoryAge, () => directory.ageS);
  service.onStop(name, () => directory.stop());
  await directory.start(service.stopping);
  const providers = [
    { provide: DEPLOYMENTS_PORT, useValue: deployments },
    { provide: DEPLOYMENT_DIRECTORY, useValue: directory },
  ];
  return { module: FollowedDeploymentsModule, providers, exports: providers.map(({ provide }) => provide) };
}

/** For an autoscaler that scrapes the gateways as it does the jobs service. */
export function showRefusedDemand(service: ServiceProcess, app: Pick<INestApplicationContext, 'get'>): void {
  const demand = app.get(RefusedDemand);
  service.metrics.gauge(DEPLOYMENTS_METRICS.waiting, () => demand.figures(Date.now()));
}
