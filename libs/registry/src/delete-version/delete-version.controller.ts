import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import type { RegistryCaller } from '../authorize/caller.js';
import type { VersionPath } from '../load-for-write/written-versions.js';
import { Caller } from '../read-request/caller.decorator.js';
import { DeleteVersionHandler } from './delete-version.handler.js';

@Controller('publishers/:publisher/nodes/:node/versions/:version')
export class DeleteVersionController {
  constructor(private readonly versions: DeleteVersionHandler) {}

  @Delete()
  @HttpCode(204)
  async handle(@Param() path: VersionPath, @Caller() caller: RegistryCaller): Promise<void> {
    await this.versions.handle(path, caller);
  }
}
