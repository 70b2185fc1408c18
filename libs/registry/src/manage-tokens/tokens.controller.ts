import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import type { TokenWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { TokensHandler } from './tokens.handler.js';

@Controller('publishers/:publisher/tokens')
export class TokensController {
  constructor(private readonly tokens: TokensHandler) {}

  @Get()
  async list(@Param('publisher') publisher: string, @Caller() caller: RegistryCaller): Promise<readonly TokenWire[]> {
    return await this.tokens.list(publisher, caller);
  }

  @Delete(':token')
  @HttpCode(204)
  async revoke(
    @Param() { publisher, token: tokenId }: { readonly publisher: string; readonly token: string },
    @Caller() caller: RegistryCaller,
  ): Promise<void> {
    await this.tokens.revoke(publisher, tokenId, caller);
  }
}
