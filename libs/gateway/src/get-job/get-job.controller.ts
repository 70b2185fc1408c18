import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { Answer, JobId, JobsPort, JobView } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';
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
  get(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.#job(request, id), 200, (job) => renderJob(job, renderContext(request, this.settings)));
  }

  async #job(request: FastifyRequest, text: string): Promise<Answer<JobView>> {
    const id = idIn<JobId>(text);
    return id === null ? notFound() : this.jobs.get(principalOf(request), id);
  }
}
