import { Injectable } from '@nestjs/common';
import { CreateDeploymentHandler } from './create-deployment.handler.js';

export interface DefaultDeploymentOptions {
  readonly slots: number;
}

/** Null: none is made. */
export class DefaultDeploymentChoice {
  constructor(readonly wanted: DefaultDeploymentOptions | null) {}
}

/**
 * The deployment of a dedicated service without a host of deployments: made at the first start, open to all accounts
 * (accounts, Surface of a request).
 */
@Injectable()
export class DefaultDeployment {
  constructor(
    private readonly create: CreateDeploymentHandler,
    private readonly options: DefaultDeploymentChoice,
  ) {}

  async make(): Promise<void> {
    const { wanted } = this.options;
    if (wanted === null) return;
    const environment = { image: null, engine: 'builtin', engineVersion: null, packages: [], catalogue: null };
    const name = { label: 'default', stage: 'production' } as const;
    const answer = await this.create.handle({
      ...name,
      accountId: null,
      provider: null,
      environment,
      options: { slots: wanted.slots },
    });
    if (!answer.ok && answer.refusal.kind !== 'exists') throw new Error(answer.refusal.message);
  }
}
