import { Injectable } from '@nestjs/common';
import { DEFAULT_DEPLOYMENT } from '@heddle/contracts-messages';
import { DeploymentsSettings } from '../settings.js';
import { CreateDeploymentHandler } from './create-deployment.handler.js';

/** Makes the deployment that serves every host, at the first start: open to all accounts (accounts, Surface of a request). */
@Injectable()
export class DefaultDeployment {
  constructor(
    private readonly create: CreateDeploymentHandler,
    private readonly settings: DeploymentsSettings,
  ) {}

  async make(): Promise<void> {
    const { everyHost } = this.settings;
    if (everyHost === null) return;
    const environment = { image: null, engine: 'builtin', engineVersion: null, packages: [], catalogue: null };
    const answer = await this.create.handle({
      ...DEFAULT_DEPLOYMENT,
      accountId: null,
      provider: null,
      environment,
      options: { slots: everyHost.slots },
    });
    if (!answer.ok && answer.refusal.kind !== 'exists') throw new Error(answer.refusal.message);
  }
}
