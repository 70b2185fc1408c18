import { Controller, Get } from '@nestjs/common';
import type { PublisherWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Membership } from '../authorize/membership.js';
import { NodeReads } from '../find-nodes/node-reads.js';
import { Caller } from '../read-request/caller.decorator.js';
import { renderPublisher } from '../render-wire/publisher-wire.js';

/** The publishers of which the account is a member. */
@Controller('users/publishers')
export class ListPublishersController {
  constructor(
    private readonly nodes: NodeReads,
    private readonly membership: Membership,
  ) {}

  @Get()
  async handle(@Caller() caller: RegistryCaller): Promise<readonly PublisherWire[]> {
    return (await this.nodes.publishersOf(this.membership.account(caller))).map(renderPublisher);
  }
}
