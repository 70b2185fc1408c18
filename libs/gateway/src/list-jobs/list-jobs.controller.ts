import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobListQuery, JobsPort, Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { GatewaySettings } from '../settings.js';
import { renderJobPage } from '../render-wire/job-wire.js';
import { renderContext } from '../render-wire/render-context.js';
import { ListQuery } from './list-query.decorator.js';

@Controller('api/v2/jobs')
export class ListJobsController {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly settings: GatewaySettings,
  ) {}

  @Get()
  list(
    @ListQuery() query: JobListQuery,
    @CallerPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.jobs.list(principal, query), 200, (page) =>
      renderJobPage(page, renderContext(request, this.settings)),
    );
  }
}
