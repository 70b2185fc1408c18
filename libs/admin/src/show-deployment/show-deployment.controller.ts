import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { DEPLOYMENTS_PORT } from '@heddle/contracts-messages';
import type { DeploymentsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DescribeDeployments } from '../describe-deployment/describe-deployments.js';
import { deploymentWire, renderDeployment } from '../describe-deployment/render-deployment.js';
import { namedDeployment } from '../read-request/asked-stage.js';

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
  show(@Param('label') label: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const name = namedDeployment(label, request);
    return respond(reply, this.facts.describe(name, this.deployments.show(name)), 200, renderDeployment);
  }
}
