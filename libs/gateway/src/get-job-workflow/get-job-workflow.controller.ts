import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobsPort, Principal } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { CallerPrincipal } from '../read-request/caller-principal.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { renderWorkflow } from '../render-wire/job-wire.js';
import { WorkflowTurns } from './workflow-turns.js';

@Controller('api/v2/jobs')
export class GetJobWorkflowController {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly turns: WorkflowTurns,
  ) {}

  @Get(':id/workflow')
  get(
    @Param('id', IdPipe) id: JobId,
    @CallerPrincipal() principal: Principal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.turns.run(principal.accountId, reply.raw, () =>
      respond(reply, this.jobs.workflow(principal, id), 200, renderWorkflow),
    );
  }
}
