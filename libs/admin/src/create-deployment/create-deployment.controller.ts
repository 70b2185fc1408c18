import { Body, Controller, Post, Res } from '@nestjs/common';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { renderDeployment } from '../describe-deployment/render-deployment.js';
import { adminBody } from '../read-request/admin-body.js';
import { CreateDeployments } from './create-deployments.js';
import type { DeploymentBody } from './deployment-body.dto.js';

const DEPLOYMENT_BODY = adminBody(async () => (await import('./deployment-body.dto.js')).DeploymentBody);

@Controller('admin/v1/deployments')
export class CreateDeploymentController {
  constructor(private readonly deployments: CreateDeployments) {}

  @Post()
  create(@Body(DEPLOYMENT_BODY) body: DeploymentBody, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.deployments.handle(body), 201, renderDeployment);
  }
}
