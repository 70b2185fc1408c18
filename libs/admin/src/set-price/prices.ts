import { Inject, Injectable } from '@nestjs/common';
import { accepted, CREDITS_PORT, priceIn } from '@heddle/contracts-messages';
import type { Answer, CreditsPort, DeploymentName, DeploymentPrice } from '@heddle/contracts-messages';
import { FindNames } from '../find-names/find-names.js';

/** The prices of deployments by their names. */
@Injectable()
export class Prices {
  constructor(
    @Inject(CREDITS_PORT) private readonly credits: Pick<CreditsPort, 'pricesOf' | 'setPrice'>,
    private readonly names: FindNames,
  ) {}

  of(name: DeploymentName): Promise<Answer<DeploymentPrice>> {
    return this.names.withDeployment(name, async (id) => accepted(priceIn(await this.credits.pricesOf([id]), id)));
  }

  set(name: DeploymentName, change: Partial<DeploymentPrice>): Promise<Answer<DeploymentPrice>> {
    return this.names.withDeployment(name, (id) => this.credits.setPrice(id, change));
  }
}
