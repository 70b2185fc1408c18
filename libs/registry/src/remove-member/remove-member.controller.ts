import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { RemoveMemberHandler } from './remove-member.handler.js';

@Controller('publishers/:publisher/members/:member')
export class RemoveMemberController {
  constructor(private readonly members: RemoveMemberHandler) {}

  @Delete()
  @HttpCode(204)
  async handle(
    @Param() { publisher, member }: { readonly publisher: string; readonly member: string },
    @Caller() caller: RegistryCaller,
  ): Promise<void> {
    await this.members.handle(publisher, member, caller);
  }
}
