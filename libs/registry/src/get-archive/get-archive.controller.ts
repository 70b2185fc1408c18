import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { respondBytes } from '@heddle/platform-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GetArchiveHandler } from './get-archive.handler.js';

@Controller('nodes/:node/versions/:version/archive')
export class GetArchiveController {
  constructor(private readonly archives: GetArchiveHandler) {}

  @Get()
  async handle(
    @Param() { node, version }: { readonly node: string; readonly version: string },
    @Req() { method, headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await respondBytes(reply, () => this.archives.handle(node, version, { method, headers }));
  }
}
