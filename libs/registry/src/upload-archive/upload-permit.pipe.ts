import { createParamDecorator, Injectable } from '@nestjs/common';
import type { ExecutionContext, PipeTransform } from '@nestjs/common';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import type { FastifyRequest } from 'fastify';
import { UploadUrls } from '../sign-versions/upload-url.js';
import type { UploadPermit } from '../sign-versions/upload-url.js';

/** Path and query as they were sent: the signature is over these very characters. */
export const RequestTarget = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().raw.url ?? '',
);

/** What an upload URL permits; refuses one that is changed or expired. */
@Injectable()
export class UploadPermitPipe implements PipeTransform<string, UploadPermit> {
  constructor(private readonly urls: UploadUrls) {}

  transform(target: string): UploadPermit {
    const permit = this.urls.verify(target, Date.now());
    if (permit === null) throw registryRefusal('invalid_signature', { case: 'upload' });
    return permit;
  }
}
