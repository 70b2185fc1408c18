import { ACCOUNTS_PORT, DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { Type } from '@nestjs/common';
import { ChangeDeploymentController } from './change-deployment/change-deployment.controller.js';
import { ChangeDeployments } from './change-deployment/change-deployments.js';
import { CheckPackages } from './check-packages/check-packages.js';
import { CreateDeploymentController } from './create-deployment/create-deployment.controller.js';
import { CreateDeployments } from './create-deployment/create-deployments.js';
import { DescribeDeployments } from './describe-deployment/describe-deployments.js';
import { ShowDeploymentController } from './show-deployment/show-deployment.controller.js';

/** The calls behind `heddle deployments`. */
export const DEPLOYMENTS_CONTROLLERS: readonly Type<unknown>[] = [
  CreateDeploymentController,
  ShowDeploymentController,
  ChangeDeploymentController,
];

export const DEPLOYMENTS_PROVIDERS: readonly Type<unknown>[] = [
  DescribeDeployments,
  CheckPackages,
  CreateDeployments,
  ChangeDeployments,
];

export function servesDeployments(ports: ReadonlyMap<symbol, object>): boolean {
  return ports.has(DEPLOYMENTS_PORT) && ports.has(ACCOUNTS_PORT);
}
