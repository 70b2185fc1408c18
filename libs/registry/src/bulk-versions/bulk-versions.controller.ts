import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { BulkItemWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { BulkItemsPipe } from './bulk-items.pipe.js';
import type { BulkItem } from './bulk-items.pipe.js';
import { BulkVersionsHandler } from './bulk-versions.handler.js';

@Controller('bulk/nodes/versions')
export class BulkVersionsController {
  constructor(private readonly versions: BulkVersionsHandler) {}

  @Post()
  @HttpCode(200)
  async handle(
    @Body(BulkItemsPipe) items: readonly BulkItem[],
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<{ readonly node_versions: readonly BulkItemWire[] }> {
    return { node_versions: await this.versions.handle(items, caller, url) };
  }
}
