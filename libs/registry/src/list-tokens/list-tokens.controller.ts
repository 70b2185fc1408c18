import { Controller, Get, Param } from '@nestjs/common';
import type { TokenWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { ListTokensHandler } from './list-tokens.handler.js';

@Controller('publishers/:publisher/tokens')
export class ListTokensController {
  constructor(private readonly tokens: ListTokensHandler) {}

  @Get()
  async handle(@Param('publisher') publisher: string, @Caller() caller: RegistryCaller): Promise<readonly TokenWire[]> {
    return await this.tokens.handle(publisher, caller);
  }
}
