import { Controller, Get, Req } from '@nestjs/common';
import { REGISTRY_ROUTES, registryDocument } from '@heddle/contracts-registry';
import { OwnAddress, pathPattern } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';
import { RegistrySettings } from '../settings.js';

@Controller('openapi.json')
export class ShowDocumentController {
  constructor(private readonly settings: RegistrySettings) {}

  /** Of the routes that this process serves. */
  @Get()
  handle(@Req() { server }: FastifyRequest, @OwnAddress() url: string): object {
    const served = REGISTRY_ROUTES.filter(({ method, path }) => server.hasRoute({ method, url: pathPattern(path) }));
    return registryDocument(url, [...served, ...this.settings.besideRoutes]);
  }
}
