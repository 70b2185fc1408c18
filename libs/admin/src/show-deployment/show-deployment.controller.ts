import { Controller, Get, Inject, Res } from '@nestjs/common';
import { DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { DeploymentName, DeploymentsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { DescribeDeployments } from '../describe-deployment/describe-deployments.js';
import { deploymentWire, renderDeployment } from '../describe-deployment/render-deployment.js';
import { NamedDeployment } from '../read-request/asked-stage.js';

@Controller('admin/v1/deployments')
export class ShowDeploymentController {
  constructor(
    @Inject(DEPLOYMENTS_PORT) private readonly deployments: DeploymentsPort,
    private readonly facts: DescribeDeployments,
  ) {}

  @Get()
  async list(): Promise<object> {
    return { deployments: (await this.facts.describeAll(await this.deployments.list())).map(deploymentWire) };
  }

  @Get(':label')
  show(@NamedDeployment() name: DeploymentName, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.facts.describe(this.deployments.show(name)), 200, renderDeployment);
  }
}
