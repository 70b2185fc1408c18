import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { NodeWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenQuery } from '../read-request/query.pipe.js';
import { ShowNodeHandler } from '../show-node/show-node.handler.js';
import { RateNodeHandler } from './rate-node.handler.js';

@Controller('nodes/:node/reviews')
export class RateNodeController {
  constructor(
    private readonly ratings: RateNodeHandler,
    private readonly show: ShowNodeHandler,
  ) {}

  @Post()
  @HttpCode(200)
  async handle(
    @Param('node') nodeId: string,
    @Query() query: GivenQuery,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeWire> {
    return await this.show.handle(await this.ratings.handle(nodeId, caller, query), caller, url);
  }
}
