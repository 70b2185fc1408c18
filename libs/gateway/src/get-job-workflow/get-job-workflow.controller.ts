import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobsPort, Principal } from '@heddle/contracts-messages';
import { sendRejection } from '@heddle/platform-http';
import type { FastifyReply } from 'fastify';
import { Caller } from '../read-request/caller.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';

const HEAD = Buffer.from('{"format":"api","workflow":');
const TAIL = Buffer.from('}');

@Controller('api/v2/jobs')
export class GetJobWorkflowController {
  constructor(@Inject(JOBS_PORT) private readonly jobs: JobsPort) {}

  /** The bytes are inserted unchanged: parsing and printing would change numbers and key order. */
  @Get(':id/workflow')
  async get(@Param('id', IdPipe) id: JobId, @Caller() caller: Principal, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.jobs.workflow(caller, id);
    if (!answer.ok) return sendRejection(reply, answer.rejection);
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(Buffer.concat([HEAD, answer.value, TAIL]));
  }
}
