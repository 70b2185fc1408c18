import { Controller, Post, Req, Res } from '@nestjs/common';
import { refuse } from '@heddle/contracts-messages';
import type { Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import { parseTraceparent } from '@heddle/platform-telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../read-request/caller.decorator.js';
import { IdempotencyKey } from '../read-request/idempotency-key.js';
import { GatewaySettings } from '../settings.js';
import { renderJob } from '../render-wire/job-wire.js';
import { jobUrl } from '../render-wire/links.js';
import { renderContext } from '../render-wire/render-context.js';
import { ReceiveSubmissionHandler } from './receive-submission.handler.js';

const NO_BODY = Buffer.alloc(0);
const NOT_A_KEY = refuse('invalid_workflow', { case: 'key_header' }, { details: { node_errors: {} } });

@Controller('api/v2/jobs')
export class SubmitJobController {
  constructor(
    private readonly submitJob: ReceiveSubmissionHandler,
    private readonly settings: GatewaySettings,
  ) {}

  @Post()
  submit(
    @IdempotencyKey(NOT_A_KEY) idempotencyKey: string | null,
    @Caller() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const context = renderContext(request, this.settings);
    const command = {
      principal,
      idempotencyKey,
      body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
      requestId: request.id,
      traceparent: parseTraceparent(headerText(request.headers['traceparent'])),
    };
    return respond(reply, this.submitJob.handle(command), 201, (job) => {
      void reply.header('location', jobUrl(context.base, job.id));
      return renderJob(job, context);
    });
  }
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
