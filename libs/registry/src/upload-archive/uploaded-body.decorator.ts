import { Readable } from 'node:stream';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ArchiveUpload } from './upload-archive.handler.js';

/** The bytes of a request as they come. */
export const UploadedBody = createParamDecorator((_: unknown, context: ExecutionContext): ArchiveUpload => {
  const { body, raw } = context.switchToHttp().getRequest<FastifyRequest>();
  const length = raw.headers['content-length'];
  return {
    body: (body ?? Readable.from([])) as Readable,
    announced: length === undefined ? null : Number(length),
    isPart: raw.headers['content-range'] !== undefined,
    left: leaving(context.switchToHttp().getResponse<FastifyReply>()),
  };
});

/**
 * Aborted when the connection is reset before the answer. The end of what a client sends proves nothing: it may close
 * its half and wait.
 */
function leaving({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => (raw.writableFinished ? undefined : gone.abort()));
  return gone.signal;
}
