import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import type { RegistryCaller } from '../authorize/caller.js';
import type { VersionPath } from '../load-for-write/written-versions.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { RequestReviewHandler } from './request-review.handler.js';

@Controller('publishers/:publisher/nodes/:node/versions/:version/request-review')
export class RequestReviewController {
  constructor(private readonly reviews: RequestReviewHandler) {}

  @Post()
  @HttpCode(202)
  async handle(
    @Param() path: VersionPath,
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
  ): Promise<Record<string, never>> {
    return await this.reviews.handle(path, caller, fields).then(() => ({}));
  }
}
