import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { Answer, JobId, JobsPort } from '@heddle/contracts-messages';
import { sendRejection } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';

const HEAD = Buffer.from('{"format":"api","workflow":');
const TAIL = Buffer.from('}');

@Controller('api/v2/jobs')
export class GetJobWorkflowController {
  constructor(@Inject(JOBS_PORT) private readonly jobs: JobsPort) {}

  /** The bytes are inserted unchanged: parsing and printing would change numbers and key order. */
  @Get(':id/workflow')
  async get(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.#workflow(request, id);
    if (!answer.ok) return sendRejection(reply, answer.rejection);
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(Buffer.concat([HEAD, answer.value, TAIL]));
  }

  async #workflow(request: FastifyRequest, text: string): Promise<Answer<Uint8Array>> {
    const id = idIn<JobId>(text);
    return id === null ? notFound() : this.jobs.workflow(principalOf(request), id);
  }
}
