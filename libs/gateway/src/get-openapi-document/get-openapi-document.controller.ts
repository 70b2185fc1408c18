import { Controller, Get, Res } from '@nestjs/common';
import { openApiDocument, routesOf } from '@heddle/contracts-api-v2';
import type { FastifyReply } from 'fastify';
import { GatewaySettings } from '../settings.js';

@Controller('api/v2/openapi.json')
export class GetOpenApiDocumentController {
  #text: string | null = null;

  constructor(private readonly settings: GatewaySettings) {}

  @Get()
  get(@Res() reply: FastifyReply): void {
    this.#text ??= JSON.stringify(openApiDocument(this.settings, routesOf(this.settings.surface === 'self-hosted')));
    void reply.header('content-type', 'application/json; charset=utf-8').send(this.#text);
  }
}
