import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ACCOUNTS_PORT } from '@heddle/contracts-messages';
import type { AccountsPort, ListPart } from '@heddle/contracts-messages';
import { respond } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AskedPart, queryOf } from '../read-request/list-part.decorator.js';
import { keyWire } from './render-key.js';

@Controller('admin/v1/keys')
export class ListKeysController {
  constructor(@Inject(ACCOUNTS_PORT) private readonly accounts: AccountsPort) {}

  /** `next`: the `after` of the next part; null at the end. */
  @Get()
  list(@AskedPart() part: ListPart, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, this.accounts.listKeys(queryOf(request).get('account'), part), 200, (keys) =>
      JSON.stringify({
        keys: keys.map((view) => keyWire(view)),
        next: keys.length < part.limit ? null : keys.at(-1)!.keyId,
      }),
    );
  }
}
