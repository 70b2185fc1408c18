import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { JOBS_PORT } from '@heddle/contracts-messages';
import type { Answer, JobId, JobsPort, JobView, Principal } from '@heddle/contracts-messages';
import { sendRejection, takeConnection } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idIn, notFound, principalOf } from '../api-request.js';
import { GatewaySettings } from '../gateway-settings.js';
import { renderContext } from '../render-wire/render-context.js';
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
    const { accountId } = principalOf(request);
    const full = this.slots.take(accountId);
    if (full !== null) return sendRejection(reply, full);
    const answer = await this.#job(request, id).catch((error: unknown) => {
      this.slots.giveBack(accountId);
      throw error;
    });
    if (answer.ok && request.method !== 'HEAD' && !request.raw.socket.destroyed) {
      return this.#open(request, reply, answer.value);
    }
    this.slots.giveBack(accountId);
    if (!answer.ok) return sendRejection(reply, answer.rejection);
    void reply.header('content-type', 'text/event-stream').send();
  }

  async #job(request: FastifyRequest, text: string): Promise<Answer<JobView>> {
    const id = idIn<JobId>(text);
    return id === null ? notFound() : this.jobs.get(principalOf(request), id);
  }

  /** The socket is all that is kept of an open stream. The answer ends with the connection, so it needs no chunks. */
  #open(request: FastifyRequest, reply: FastifyReply, job: JobView): void {
    const principal = principalOf(request);
    const head = headOf(reply);
    const socket = takeConnection(request, reply);
    const stream = new EventStream(socket, renderContext(request, this.settings), this.live.onSkipped);
    // The listener lives as long as the stream: it must not hold the view, nor the request.
    socket.once('close', this.#leaver(principal, job.id, stream));
    socket.cork();
    socket.write(head);
    this.live.join(principal, job, stream);
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
