import { Inject, Injectable } from '@nestjs/common';
import { DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { Answer, DeploymentsPort } from '@heddle/contracts-messages';
import { CheckPackages } from '../check-packages/check-packages.js';
import { DescribeDeployments } from '../describe-deployment/describe-deployments.js';
import type { DescribedDeployment } from '../describe-deployment/describe-deployments.js';
import { FindNames } from '../find-names/find-names.js';
import { stageIn } from '../read-request/asked-stage.js';
import type { DeploymentBody } from './deployment-body.dto.js';

/** A deployment of an account, or of the operator alone. Its environment is pinned once its packages are found. */
@Injectable()
export class CreateDeployments {
  constructor(
    @Inject(DEPLOYMENTS_PORT) private readonly deployments: DeploymentsPort,
    private readonly facts: DescribeDeployments,
    private readonly names: FindNames,
    private readonly packages: CheckPackages,
  ) {}

  async handle(body: DeploymentBody): Promise<Answer<DescribedDeployment>> {
    const name = { label: body.label as string, stage: stageIn(body.stage) };
    const account = typeof body.account === 'string' ? await this.names.account(body.account) : null;
    if (account?.ok === false) return account;
    const deployment = {
      ...name,
      accountId: account?.value ?? null,
      provider: body.toProvider(),
      environment: body.toEnvironment(),
      options: body.toOptions(),
    };
    const created = this.packages.before(deployment.environment, () => this.deployments.create(deployment));
    return await this.facts.describe(created);
  }
}
