import { Body, Controller, Param, Post } from '@nestjs/common';
import type { IssuedTokenWire } from '@heddle/contracts-registry';
import { JsonBodyPipe } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { CreateTokenHandler } from './create-token.handler.js';
import type { TokenBody } from './token-body.dto.js';

const body = new JsonBodyPipe(async () => (await import('./token-body.dto.js')).TokenBody);

@Controller('publishers/:publisher/tokens')
export class CreateTokenController {
  constructor(private readonly tokens: CreateTokenHandler) {}

  @Post()
  async handle(
    @Param('publisher') publisher: string,
    @Body(body) given: TokenBody,
    @Caller() caller: RegistryCaller,
  ): Promise<IssuedTokenWire> {
    return await this.tokens.handle(publisher, caller, given.toToken());
  }
}
