import { Controller, Get, Param, Query } from '@nestjs/common';
import type { WfNodeWire } from '@heddle/contracts-registry';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { MAX_PAGE, QueryPipe, whole } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';
import { ListVersionClassesHandler } from './list-version-classes.handler.js';
import type { VersionClassPage } from './list-version-classes.handler.js';

const QUERY = { page: whole(1, MAX_PAGE, 1), limit: whole(1, 1_000, 10) };
const query = new QueryPipe(QUERY);

@Controller('nodes/:node/versions/:version/wf-nodes')
export class ListVersionClassesController {
  constructor(private readonly classes: ListVersionClassesHandler) {}

  @Get()
  async page(
    @Param() { node, version }: { readonly node: string; readonly version: string },
    @Query(query) { page, limit }: QueryOf<typeof QUERY>,
    @Caller() caller: RegistryCaller,
  ): Promise<VersionClassPage> {
    return await this.classes.page({ nodeId: node, version, caller }, page, limit);
  }

  @Get(':name')
  async one(
    @Param() { node, version, name }: { readonly node: string; readonly version: string; readonly name: string },
    @Caller() caller: RegistryCaller,
  ): Promise<WfNodeWire> {
    return await this.classes.one({ nodeId: node, version, caller }, name);
  }
}
