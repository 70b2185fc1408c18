import { Inject, Injectable } from '@nestjs/common';
import { DEPLOYMENT_VERBS, DEPLOYMENTS_PORT, notFound } from '@heddle/contracts-messages';
import type { Answer, DeploymentName, DeploymentsPort, EnvironmentSpec } from '@heddle/contracts-messages';
import { CheckPackages } from '../check-packages/check-packages.js';
import { DescribeDeployments } from '../describe-deployment/describe-deployments.js';
import type { DescribedDeployment } from '../describe-deployment/describe-deployments.js';

/** What an operator changes of a deployment; each answers the deployment as it is then. */
@Injectable()
export class ChangeDeployments {
  constructor(
    @Inject(DEPLOYMENTS_PORT) private readonly deployments: DeploymentsPort,
    private readonly facts: DescribeDeployments,
    private readonly packages: CheckPackages,
  ) {}

  async set(
    name: DeploymentName,
    options: Parameters<DeploymentsPort['set']>[1],
  ): Promise<Answer<DescribedDeployment>> {
    return await this.facts.describe(this.deployments.set(name, options));
  }

  async repin(name: DeploymentName, environment: EnvironmentSpec): Promise<Answer<DescribedDeployment>> {
    const pinned = this.packages.before(environment, () => this.deployments.repin(name, environment));
    return await this.facts.describe(pinned);
  }

  /** `asked`: the last part of the path; a word that is not a verb is not a route. */
  async change(name: DeploymentName, asked: string): Promise<Answer<DescribedDeployment>> {
    const verb = DEPLOYMENT_VERBS.find((known) => known === asked);
    return verb === undefined ? notFound() : await this.facts.describe(this.deployments[verb](name));
  }
}
