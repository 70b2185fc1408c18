import { Controller, Get, Param, Res } from '@nestjs/common';
import type { JobId, Principal } from '@heddle/contracts-messages';
import { respondIfAny } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { renderLog } from '../render-wire/log-wire.js';
import { GetJobLogsHandler } from './get-job-logs.handler.js';

@Controller('api/v2/jobs')
export class GetJobLogsController {
  constructor(private readonly logs: GetJobLogsHandler) {}

  @Get(':id/logs')
  get(
    @Param('id', IdPipe) id: JobId,
    @CallerPrincipal() principal: Principal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return respondIfAny(reply, this.logs.handle(principal, id), renderLog);
  }
}
