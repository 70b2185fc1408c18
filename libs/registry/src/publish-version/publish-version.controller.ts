import { Body, Controller, Param, Post } from '@nestjs/common';
import { OwnAddress } from '@heddle/platform-http';
import type { RegistryCaller } from '../authorize/caller.js';
import { Caller } from '../read-request/caller.decorator.js';
import type { GivenFields } from '../read-request/given-fields.js';
import { JsonObjectPipe } from '../read-request/json-object.pipe.js';
import { PublishAnswer } from './publish-answer.js';
import type { PublishedVersionWire } from './publish-answer.js';
import { PublishVersionHandler } from './publish-version.handler.js';

@Controller('publishers/:publisher/nodes/:node/versions')
export class PublishVersionController {
  constructor(
    private readonly publish: PublishVersionHandler,
    private readonly answer: PublishAnswer,
  ) {}

  @Post()
  async handle(
    @Param() { publisher, node: nodeId }: { readonly publisher: string; readonly node: string },
    @Body(JsonObjectPipe) fields: GivenFields,
    @Caller() caller: RegistryCaller,
    @OwnAddress() url: string,
  ): Promise<PublishedVersionWire> {
    return this.answer.render(await this.publish.handle({ publisher, nodeId, caller, fields }), url);
  }
}
