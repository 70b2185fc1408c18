import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { nodeKey } from '@heddle/registry-domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finalize, from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import { entityTag } from './entity-tag.js';
import { answered, isKeptRead, readKey } from './kept-reads.js';
import { ReadCache } from './read-cache.js';
import type { ShownDownloads } from './read-cache.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Reads whose answer shows the downloads of nodes, or depends on them. */
const OF_EVERY_NODE = new Set(['/nodes', '/nodes/search', '/publishers/:publisher/nodes', '/wf-nodes/:name/node']);

/** Answers the reads that were not kept, with a tag, and keeps them for a second. */
@Injectable()
export class ReadInterceptor implements NestInterceptor {
  constructor(private readonly cache: ReadCache) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    if (isKeptRead(request)) return from(this.#answer(request, reply, next));
    void reply.header('cache-control', 'no-store');
    // Bulk reads alone change nothing without being a GET.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead || request.routeOptions.url === '/bulk/nodes/versions') return next.handle();
    return next.handle().pipe(finalize(() => this.cache.changed()));
  }

  async #answer(request: FastifyRequest, reply: FastifyReply, next: CallHandler): Promise<unknown> {
    const since = this.cache.now();
    const value: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
    // The bytes of an archive are answered by their route.
    if (reply.sent || value === undefined) return undefined;
    const isText = typeof value === 'string';
    const body = isText ? value : JSON.stringify(value);
    const contentType = isText ? String(reply.getHeader('content-type')) : JSON_TYPE;
    const answer = { body, tag: entityTag(body), contentType };
    this.cache.keep(readKey(request), answer, since, downloadsIn(request));
    return answered(request, reply, answer);
  }
}

function downloadsIn({ routeOptions, params }: FastifyRequest): ShownDownloads {
  if (routeOptions.url === '/nodes/:node') return { node: nodeKey((params as { readonly node: string }).node) };
  return OF_EVERY_NODE.has(routeOptions.url ?? '') ? 'every' : null;
}
