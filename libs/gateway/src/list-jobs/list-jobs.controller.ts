import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { Answer, JobPage, JobsPort } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../authenticate/admission.js';
import { GatewaySettings } from '../settings.js';
import { renderJobPage } from '../render-wire/job-wire.js';
import { renderContext } from '../render-wire/render-context.js';
import { parseListQuery } from './list-query.js';

@Controller('api/v2/jobs')
export class ListJobsController {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly settings: GatewaySettings,
  ) {}

  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.#page(request), 200, (page) =>
      renderJobPage(page, renderContext(request, this.settings)),
    );
  }

  async #page(request: FastifyRequest): Promise<Answer<JobPage>> {
    const query = parseListQuery(new URLSearchParams(request.raw.url?.split('?', 2)[1] ?? ''));
    return query.ok ? this.jobs.list(principalOf(request), query.value) : query;
  }
}
