import { Controller, Get, Param, Query } from '@nestjs/common';
import { VERSION_STATUSES, versionStatusWire } from '@heddle/contracts-registry';
import type { NodeVersionWire, VersionStatus } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { allOf, QueryPipe, yesOrNo } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';
import { ListVersionsHandler } from './list-versions.handler.js';

const STATUSES = new Map<string, VersionStatus>(VERSION_STATUSES.map((status) => [versionStatusWire(status), status]));
const QUERY = { statuses: allOf(STATUSES), include_status_reason: yesOrNo() };
const query = new QueryPipe(QUERY);

@Controller('nodes/:node/versions')
export class ListVersionsController {
  constructor(private readonly versions: ListVersionsHandler) {}

  @Get()
  async handle(
    @Param('node') nodeId: string,
    @Query(query) { statuses, include_status_reason: withReason }: QueryOf<typeof QUERY>,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<readonly NodeVersionWire[]> {
    return await this.versions.handle({ nodeId, statuses, withReason, caller, url });
  }
}
