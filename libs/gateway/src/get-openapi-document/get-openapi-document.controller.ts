import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OpenApiText } from './openapi-text.js';

@Controller('api/v2/openapi.json')
export class GetOpenApiDocumentController {
  constructor(private readonly document: OpenApiText) {}

  @Get()
  get(@Res() reply: FastifyReply): void {
    void reply.header('content-type', 'application/json; charset=utf-8').send(this.document.read());
  }
}
