import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobsPort, Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { GatewaySettings } from '../settings.js';
import { renderJob } from '../render-wire/job-wire.js';
import { renderContext } from '../render-wire/render-context.js';

@Controller('api/v2/jobs')
export class GetJobController {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly settings: GatewaySettings,
  ) {}

  @Get(':id')
  get(
    @Param('id', IdPipe) id: JobId,
    @CallerPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(reply, this.jobs.get(principal, id), 200, (job) =>
      renderJob(job, renderContext(request, this.settings)),
    );
  }
}
