import { Module } from '@nestjs/common';
import { DEPLOYMENT_DIRECTORY } from '@heddle/contracts-messages';
import type { DeploymentDirectory } from '@heddle/contracts-messages';

const NO_DEPLOYMENTS: DeploymentDirectory = { find: () => null, byId: () => null };

/** The directory of a gateway that serves no deployments: every host of theirs is unknown. */
@Module({
  providers: [{ provide: DEPLOYMENT_DIRECTORY, useValue: NO_DEPLOYMENTS }],
  exports: [DEPLOYMENT_DIRECTORY],
})
export class NoDeploymentsModule {}
