import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { JobId, Principal } from '@heddle/contracts-messages';
import { sendRejection, takeConnection } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../read-request/caller.decorator.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { GatewaySettings } from '../settings.js';
import { renderContext } from '../render-wire/render-context.js';
import { EventStream } from './event-stream.js';
import { LiveProjection } from './live-projection.js';
import { OpenStreamHandler } from './open-stream.handler.js';
import type { OpenedStream } from './open-stream.handler.js';

@Controller('api/v2/jobs')
export class StreamJobEventsController {
  constructor(
    private readonly openStream: OpenStreamHandler,
    private readonly live: LiveProjection,
    private readonly settings: GatewaySettings,
  ) {}

  @Get(':id/events')
  async stream(
    @Param('id', IdPipe) id: JobId,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const answer = await this.openStream.handle(caller, id);
    if (!answer.ok) return sendRejection(reply, answer.rejection);
    const opened = answer.value;
    if (request.method !== 'HEAD' && !request.raw.socket.destroyed) return this.#open(request, reply, caller, opened);
    opened.giveUp();
    void reply.header('content-type', 'text/event-stream').send();
  }

  /** An open stream keeps only its socket. The answer ends with the connection, so it needs no chunked encoding. */
  #open(request: FastifyRequest, reply: FastifyReply, caller: Principal, { job, news }: OpenedStream): void {
    const head = headOf(reply);
    const socket = takeConnection(request, reply);
    const stream = new EventStream(socket, renderContext(request, this.settings), this.live.onSkipped);
    // The listener lives as long as the stream: it must not capture the view or the request.
    socket.once('close', this.#leaver(caller, job.id, stream));
    socket.cork();
    socket.write(head);
    this.live.join(caller, job, news, stream);
    socket.uncork();
  }

  #leaver({ accountId }: Principal, jobId: JobId, stream: EventStream): () => void {
    return () => this.openStream.leave(accountId, jobId, stream);
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
