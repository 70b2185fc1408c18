import { Controller, Post, Req, Res } from '@nestjs/common';
import { refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, JobView } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import { parseTraceparent } from '@heddle/platform-telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';
import { GatewaySettings } from '../settings.js';
import { renderJob } from '../render-wire/job-wire.js';
import { jobUrl } from '../render-wire/links.js';
import { renderContext } from '../render-wire/render-context.js';
import { SubmissionHandler } from './submit-job.handler.js';

const NO_BODY = Buffer.alloc(0);

@Controller('api/v2/jobs')
export class SubmitJobController {
  constructor(
    private readonly submitJob: SubmissionHandler,
    private readonly settings: GatewaySettings,
  ) {}

  @Post()
  submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const context = renderContext(request, this.settings);
    return respond(reply, this.#submit(request), 201, (job) => {
      void reply.header('location', jobUrl(context.base, job.id));
      return renderJob(job, context);
    });
  }

  async #submit(request: FastifyRequest): Promise<Answer<JobView>> {
    const header = idempotencyKeyOf(request);
    if (!header.ok) {
      return rejected(refuse('invalid_workflow', { case: 'key_header' }, { details: { node_errors: {} } }));
    }
    return this.submitJob.handle({
      principal: principalOf(request),
      idempotencyKey: header.key,
      body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
      requestId: request.id,
      traceparent: parseTraceparent(headerText(request.headers['traceparent'])),
    });
  }
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
