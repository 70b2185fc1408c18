import { Controller, Get, Req, Res } from '@nestjs/common';
import { respondBytes } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadSignedContentHandler } from './read-signed-content.handler.js';

@Controller('api/v2/signed')
export class ReadSignedContentController {
  constructor(private readonly readSigned: ReadSignedContentHandler) {}

  @Get(':key')
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respondBytes(reply, () => this.readSigned.handle(request.raw.url ?? '', request));
  }
}
