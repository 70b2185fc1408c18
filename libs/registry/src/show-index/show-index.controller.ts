import { Controller, Get, Header, Param } from '@nestjs/common';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { RegistryUrl } from '../render-wire/links.js';
import { ShowIndexHandler } from './show-index.handler.js';

@Controller('index/:node')
export class ShowIndexController {
  constructor(private readonly index: ShowIndexHandler) {}

  @Get()
  @Header('content-type', 'application/x-ndjson')
  async handle(
    @Param('node') nodeId: string,
    @Caller() caller: RegistryCaller,
    @RegistryUrl() url: string,
  ): Promise<string> {
    return await this.index.handle(nodeId, caller, url);
  }
}
