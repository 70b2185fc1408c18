import { Controller, Post, Req, Res } from '@nestjs/common';
import { refuse } from '@heddle/contracts-messages';
import type { Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { IdempotencyKey } from '../read-request/idempotency-key.js';
import { GatewaySettings } from '../settings.js';
import { renderContext } from '../render-wire/render-context.js';
import { ReceiveSubmissionHandler } from './receive-submission.handler.js';
import { renderCreatedJob, submissionIn } from './submission-request.js';

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
    @CallerPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respond(
      reply,
      this.submitJob.handle(submissionIn(request, principal, idempotencyKey)),
      201,
      renderCreatedJob(reply, renderContext(request, this.settings)),
    );
  }
}
