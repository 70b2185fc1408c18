import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobsPort, JobView, Principal } from '@heddle/contracts-messages';
import { sendRejection, takeConnection } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound } from '../api-request.js';
import { principalOf } from '../authenticate/admission.js';
import { GatewaySettings } from '../settings.js';
import { renderContext } from '../render-wire/render-context.js';
import type { EarlyNews } from './early-news.js';
import { EventStream } from './event-stream.js';
import { LiveProjection } from './live-projection.js';
import { StreamSlots } from './stream-slots.js';

@Controller('api/v2/jobs')
export class StreamJobEventsController {
  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly live: LiveProjection,
    private readonly slots: StreamSlots,
    private readonly settings: GatewaySettings,
  ) {}

  @Get(':id/events')
  async stream(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const principal = principalOf(request);
    const { accountId } = principal;
    const jobId = idIn<JobId>(id);
    if (jobId === null) return sendRejection(reply, notFound().rejection);
    const full = this.slots.take(accountId);
    if (full !== null) return sendRejection(reply, full);
    const news = this.live.listen(jobId);
    const giveUp = (): void => {
      news.end();
      this.slots.giveBack(accountId);
    };
    const answer = await this.jobs.get(principal, jobId).catch((error: unknown) => {
      giveUp();
      throw error;
    });
    if (answer.ok && request.method !== 'HEAD' && !request.raw.socket.destroyed) {
      return this.#open(request, reply, answer.value, news);
    }
    giveUp();
    if (!answer.ok) return sendRejection(reply, answer.rejection);
    void reply.header('content-type', 'text/event-stream').send();
  }

  /** An open stream keeps only its socket. The answer ends with the connection, so it needs no chunked encoding. */
  #open(request: FastifyRequest, reply: FastifyReply, job: JobView, news: EarlyNews): void {
    const principal = principalOf(request);
    const head = headOf(reply);
    const socket = takeConnection(request, reply);
    const stream = new EventStream(socket, renderContext(request, this.settings), this.live.onSkipped);
    // The listener lives as long as the stream: it must not capture the view or the request.
    socket.once('close', this.#leaver(principal, job.id, stream));
    socket.cork();
    socket.write(head);
    this.live.join(principal, job, news, stream);
    socket.uncork();
  }

  #leaver({ accountId }: Principal, jobId: JobId, stream: EventStream): () => void {
    return () => {
      this.slots.giveBack(accountId);
      this.live.leave(jobId, stream);
    };
  }
}

function headOf(reply: FastifyReply): string {
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}
