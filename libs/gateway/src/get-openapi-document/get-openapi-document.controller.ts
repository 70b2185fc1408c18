import { Controller, Get, Res } from '@nestjs/common';
import { openApiDocument } from '@heddle/contracts-api-v2';
import type { FastifyReply } from 'fastify';

@Controller('api/v2/openapi.json')
export class GetOpenApiDocumentController {
  #text: string | null = null;

  @Get()
  get(@Res() reply: FastifyReply): void {
    this.#text ??= JSON.stringify(openApiDocument());
    void reply.header('content-type', 'application/json; charset=utf-8').send(this.#text);
  }
}
