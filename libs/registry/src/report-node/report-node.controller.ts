import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { ReportNodeHandler } from './report-node.handler.js';

@Controller('nodes/:node/reports')
export class ReportNodeController {
  constructor(private readonly reports: ReportNodeHandler) {}

  @Post()
  @HttpCode(202)
  async handle(
    @Param('node') nodeId: string,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
  ): Promise<Record<string, never>> {
    return await this.reports.handle(nodeId, caller, fields).then(() => ({}));
  }
}
