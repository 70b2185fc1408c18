import { Readable } from 'node:stream';
import { Controller, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refused } from '../refused.js';
import { UploadUrls } from '../sign-versions/upload-url.js';
import { UploadArchiveHandler } from './upload-archive.handler.js';

@Controller('uploads/:version')
export class UploadArchiveController {
  constructor(
    private readonly archives: UploadArchiveHandler,
    private readonly urls: UploadUrls,
  ) {}

  @Put()
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { url = '', headers } = request.raw;
    const permit = this.urls.verify(url, Date.now());
    if (permit === null) throw refused('invalid_signature', { case: 'upload' });
    const length = headers['content-length'];
    await this.archives.handle(
      permit,
      (request.body ?? Readable.from([])) as Readable,
      length === undefined ? null : Number(length),
    );
    void reply.status(200).send();
  }
}
