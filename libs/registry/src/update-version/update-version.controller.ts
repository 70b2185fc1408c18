import { Body, Controller, Param, Put } from '@nestjs/common';
import type { NodeVersionWire } from '@heddle/contracts-registry';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import type { VersionPath } from '../load-for-write/written-versions.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { ShowVersionHandler } from '../show-version/show-version.handler.js';
import { UpdateVersionHandler } from './update-version.handler.js';

@Controller('publishers/:publisher/nodes/:node/versions/:version')
export class UpdateVersionController {
  constructor(
    private readonly versions: UpdateVersionHandler,
    private readonly show: ShowVersionHandler,
  ) {}

  @Put()
  async handle(
    @Param() path: VersionPath,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<NodeVersionWire> {
    return await this.show.byId(await this.versions.handle(path, caller, fields), url);
  }
}
