import { Controller, Get, Param, Query } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import { QueryPipe, version as versionParameter } from '../read-request/query.pipe.js';
import type { QueryOf } from '../read-request/query.pipe.js';
import { CountedDownload } from './counted-download.decorator.js';
import { InstallNodeHandler } from './install-node.handler.js';

const QUERY = { version: versionParameter() };
const query = new QueryPipe(QUERY);

@Controller('nodes/:node/install')
export class InstallNodeController {
  constructor(private readonly install: InstallNodeHandler) {}

  @Get()
  async handle(
    @Param('node') nodeId: string,
    @Query(query) { version }: QueryOf<typeof QUERY>,
    @CountedDownload() counts: boolean,
    @OwnAddress() url: string,
  ): Promise<NodeVersionWire> {
    return await this.install.handle({ nodeId, version, counts, url });
  }
}
