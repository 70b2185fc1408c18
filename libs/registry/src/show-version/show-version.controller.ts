import { Controller, Get, Param, Query } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { QueryPipe, yesOrNo } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';
import { ShowVersionHandler } from './show-version.handler.js';

const QUERY = { include_status_reason: yesOrNo() };
const query = new QueryPipe(QUERY);

@Controller('nodes/:node/versions/:version')
export class ShowNodeVersionController {
  constructor(private readonly versions: ShowVersionHandler) {}

  @Get()
  async handle(
    @Param() { node: nodeId, version }: { readonly node: string; readonly version: string },
    @Query(query) { include_status_reason: withReason }: QueryOf<typeof QUERY>,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeVersionWire> {
    return await this.versions.handle({ nodeId, version, caller, url, withReason });
  }
}
