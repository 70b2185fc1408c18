import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { JobId } from '@heddle/contracts-messages';
import { respondEventStream } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admissionOf } from '../authenticate/admission.js';
import { IdPipe } from '../read-request/id.pipe.js';
import { GatewaySettings } from '../settings.js';
import { renderContext } from '../render-wire/render-context.js';
import { OpenStreamHandler } from './open-stream.handler.js';

@Controller('api/v2/jobs')
export class StreamJobEventsController {
  constructor(
    private readonly openStream: OpenStreamHandler,
    private readonly settings: GatewaySettings,
  ) {}

  @Get(':id/events')
  stream(@Param('id', IdPipe) id: JobId, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respondEventStream(
      request,
      reply,
      this.openStream.handle(admissionOf(request), id, renderContext(request, this.settings)),
    );
  }
}
