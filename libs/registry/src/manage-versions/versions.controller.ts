import { Body, Controller, Delete, HttpCode, Param, Post, Put } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import type { GivenFields } from '../read-request/node-body.dto.js';
import { ShowVersionHandler } from '../show-version/show-version.handler.js';
import type { VersionPath } from './versions.handler.js';
import { VersionsHandler } from './versions.handler.js';

@Controller('publishers/:publisher/nodes/:node/versions/:version')
export class VersionsController {
  constructor(
    private readonly versions: VersionsHandler,
    private readonly show: ShowVersionHandler,
  ) {}

  @Put()
  async update(
    @Param() path: VersionPath,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeVersionWire> {
    return await this.show.byId(await this.versions.update(path, caller, fields), url);
  }

  @Delete()
  @HttpCode(204)
  async delete(@Param() path: VersionPath, @Caller() caller: RegistryCaller): Promise<void> {
    await this.versions.delete(path, caller);
  }

  @Post('request-review')
  @HttpCode(202)
  async requestReview(
    @Param() path: VersionPath,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
  ): Promise<Record<string, never>> {
    return await this.versions.requestReview(path, caller, fields).then(() => ({}));
  }
}
