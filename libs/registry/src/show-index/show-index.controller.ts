import { Controller, Get, Header, Param } from '@nestjs/common';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { ShowIndexHandler } from './show-index.handler.js';

@Controller('index/:node')
export class ShowIndexController {
  constructor(private readonly index: ShowIndexHandler) {}

  @Get()
  @Header('content-type', 'application/x-ndjson')
  async handle(
    @Param('node') nodeId: string,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<string> {
    return await this.index.handle(nodeId, caller, url);
  }
}
