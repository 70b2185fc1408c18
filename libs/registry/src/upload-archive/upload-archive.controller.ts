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
    await this.archives.handle(permit, {
      body: (request.body ?? Readable.from([])) as Readable,
      announced: length === undefined ? null : Number(length),
      left: leaving(reply),
    });
    void reply.status(200).send();
  }
}

/**
 * Aborted when the connection is reset before the answer. The end of what a client sends is no sign: it may close its half
 * and wait.
 */
function leaving({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => (raw.writableFinished ? undefined : gone.abort()));
  return gone.signal;
}
