import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AccountFacts } from './account-facts/account-facts.js';
import { ACCOUNTS_CONTROLLERS, servesAccounts } from './accounts-controllers.js';
import { CREDITS_CONTROLLERS, CREDITS_PROVIDERS, servesCredits } from './credits-controllers.js';
import { DEPLOYMENTS_CONTROLLERS, DEPLOYMENTS_PROVIDERS, servesDeployments } from './deployments-controllers.js';
import { FindNames } from './find-names/find-names.js';
import { MODERATION_CONTROLLERS, servesModeration } from './moderation-controllers.js';
import { REGISTRY_CONTROLLERS, servesRegistry } from './registry-controllers.js';
import { ShowVersionController } from './show-version/show-version.controller.js';

/** The ports that the controllers ask, by their tokens: those of the application that is already running. */
export type AdminPorts = ReadonlyMap<symbol, object>;

/** The admin API of an operator, below `/admin/v1` on the operations port (accounts, Commands). */
@Module({})
export class AdminModule {
  static register(ports: AdminPorts): DynamicModule {
    return {
      module: AdminModule,
      controllers: [
        ShowVersionController,
        ...(servesAccounts(ports) ? ACCOUNTS_CONTROLLERS : []),
        ...(servesCredits(ports) ? CREDITS_CONTROLLERS : []),
        ...(servesDeployments(ports) ? DEPLOYMENTS_CONTROLLERS : []),
        ...(servesModeration(ports) ? MODERATION_CONTROLLERS : []),
        ...(servesRegistry(ports) ? REGISTRY_CONTROLLERS : []),
      ],
      providers: [
        ...[...ports].map(([provide, useValue]) => ({ provide, useValue })),
        ...(servesAccounts(ports) ? [AccountFacts] : []),
        ...(servesCredits(ports) || servesDeployments(ports) ? [FindNames] : []),
        ...(servesCredits(ports) ? CREDITS_PROVIDERS : []),
        ...(servesDeployments(ports) ? DEPLOYMENTS_PROVIDERS : []),
      ],
    };
  }
}
