import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import type { DeploymentName } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import type { EnvironmentBody, OptionsBody } from '../create-deployment/deployment-body.dto.js';
import { renderDeployment } from '../describe-deployment/render-deployment.js';
import { adminBody } from '../read-request/admin-body.js';
import { NamedDeployment } from '../read-request/asked-stage.js';
import { ChangeDeployments } from './change-deployments.js';

const bodies = () => import('../create-deployment/deployment-body.dto.js');
const OPTIONS_BODY = adminBody(async () => (await bodies()).OptionsBody);
const ENVIRONMENT_BODY = adminBody(async () => (await bodies()).EnvironmentBody);

@Controller('admin/v1/deployments/:label')
export class ChangeDeploymentController {
  constructor(private readonly deployments: ChangeDeployments) {}

  @Post('set')
  set(
    @NamedDeployment() name: DeploymentName,
    @Body(OPTIONS_BODY) body: OptionsBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.deployments.set(name, body.toOptions()), 200, renderDeployment);
  }

  @Post('repin')
  repin(
    @NamedDeployment() name: DeploymentName,
    @Body(ENVIRONMENT_BODY) body: EnvironmentBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.deployments.repin(name, body.toEnvironment()), 200, renderDeployment);
  }

  @Post(':verb')
  change(
    @NamedDeployment() name: DeploymentName,
    @Param('verb') verb: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.deployments.change(name, verb), 200, renderDeployment);
  }
}
