import { Body, Controller, Inject, Post, Res } from '@nestjs/common';
import { DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { Answer, DeploymentsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { CheckPackages } from '../check-packages/check-packages.js';
import { DescribeDeployments } from '../describe-deployment/describe-deployments.js';
import type { DescribedDeployment } from '../describe-deployment/describe-deployments.js';
import { renderDeployment } from '../describe-deployment/render-deployment.js';
import { FindNames } from '../find-names/find-names.js';
import { stageIn } from '../read-request/asked-stage.js';
import { adminBody } from '../read-request/admin-body.js';
import type { DeploymentBody } from './deployment-body.dto.js';

const DEPLOYMENT_BODY = adminBody(async () => (await import('./deployment-body.dto.js')).DeploymentBody);

@Controller('admin/v1/deployments')
export class CreateDeploymentController {
  constructor(
    @Inject(DEPLOYMENTS_PORT) private readonly deployments: DeploymentsPort,
    private readonly facts: DescribeDeployments,
    private readonly names: FindNames,
    private readonly packages: CheckPackages,
  ) {}

  @Post()
  create(@Body(DEPLOYMENT_BODY) body: DeploymentBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.#create(body), 201, renderDeployment);
  }

  async #create(body: DeploymentBody): Promise<Answer<DescribedDeployment>> {
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
    return await this.facts.describe(name, created);
  }
}
