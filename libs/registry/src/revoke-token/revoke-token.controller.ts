import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { RevokeTokenHandler } from './revoke-token.handler.js';

@Controller('publishers/:publisher/tokens/:token')
export class RevokeTokenController {
  constructor(private readonly tokens: RevokeTokenHandler) {}

  @Delete()
  @HttpCode(204)
  async handle(
    @Param() { publisher, token }: { readonly publisher: string; readonly token: string },
    @Caller() caller: RegistryCaller,
  ): Promise<void> {
    await this.tokens.handle(publisher, token, caller);
  }
}
