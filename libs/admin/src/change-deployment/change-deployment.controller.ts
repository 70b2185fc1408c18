import { Body, Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { DEPLOYMENT_VERBS, DEPLOYMENTS_PORT, notFound } from '@heddle/contracts-messages';
import type { DeploymentsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { adminBody } from '../read-request/admin-body.js';
import type { EnvironmentBody, OptionsBody } from '../create-deployment/deployment-body.dto.js';
import { CheckPackages } from '../check-packages/check-packages.js';
import { DescribeDeployments } from '../describe-deployment/describe-deployments.js';
import { renderDeployment } from '../describe-deployment/render-deployment.js';
import { namedDeployment } from '../read-request/asked-stage.js';

const bodies = () => import('../create-deployment/deployment-body.dto.js');
const OPTIONS_BODY = adminBody(async () => (await bodies()).OptionsBody);
const ENVIRONMENT_BODY = adminBody(async () => (await bodies()).EnvironmentBody);

@Controller('admin/v1/deployments/:label')
export class ChangeDeploymentController {
  constructor(
    @Inject(DEPLOYMENTS_PORT) private readonly deployments: DeploymentsPort,
    private readonly facts: DescribeDeployments,
    private readonly packages: CheckPackages,
  ) {}

  @Post('set')
  set(
    @Param('label') label: string,
    @Req() request: FastifyRequest,
    @Body(OPTIONS_BODY) body: OptionsBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const name = namedDeployment(label, request);
    const changed = this.facts.describe(name, this.deployments.set(name, body.toOptions()));
    return respond(reply, changed, 200, renderDeployment);
  }

  @Post('repin')
  repin(
    @Param('label') label: string,
    @Req() request: FastifyRequest,
    @Body(ENVIRONMENT_BODY) body: EnvironmentBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const name = namedDeployment(label, request);
    const environment = body.toEnvironment();
    const pinned = this.packages.before(environment, () => this.deployments.repin(name, environment));
    const changed = this.facts.describe(name, pinned);
    return respond(reply, changed, 200, renderDeployment);
  }

  @Post(':verb')
  change(
    @Param('label') label: string,
    @Param('verb') asked: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const verb = DEPLOYMENT_VERBS.find((known) => known === asked);
    const name = namedDeployment(label, request);
    const changed =
      verb === undefined ? Promise.resolve(notFound()) : this.facts.describe(name, this.deployments[verb](name));
    return respond(reply, changed, 200, renderDeployment);
  }
}
