import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { isCacheable, REGISTRY_ROUTES } from '@heddle/contracts-registry';
import { pathPattern } from '@heddle/platform-http';
import { nodeKey } from '@heddle/registry-domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finalize, from, lastValueFrom } from 'rxjs';
import type { Observable } from 'rxjs';
import { callerOf } from '../authorize/caller.js';
import { addressOf } from '../render-wire/links.js';
import { entityTag, namesTag } from './entity-tag.js';
import { ReadCache } from './read-cache.js';
import type { KeptAnswer, ShownDownloads } from './read-cache.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const CACHEABLE = new Set(REGISTRY_ROUTES.filter(isCacheable).map(({ path }) => pathPattern(path)));

/** Reads whose answer shows the downloads of nodes, or depends on them. */
const OF_EVERY_NODE = new Set(['/nodes', '/nodes/search', '/publishers/:publisher/nodes', '/wf-nodes/:name/node']);

/** For how long caches in front may keep a read (registry decisions, Cache); it differs by who asks. */
export const READ_HEADERS = { 'cache-control': 'public, max-age=60', vary: 'authorization' } as const;

/** The one place that answers reads: with a tag, 304 for whom has them, and from the last second's answers. */
@Injectable()
export class ReadInterceptor implements NestInterceptor {
  constructor(private readonly cache: ReadCache) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && CACHEABLE.has(request.routeOptions.url ?? '')) return from(this.#answer(request, reply, next));
    void reply.header('cache-control', 'no-store');
    // Bulk reads alone change nothing without being a GET.
    if (isRead || request.routeOptions.url === '/bulk/nodes/versions') return next.handle();
    return next.handle().pipe(finalize(() => this.cache.changed()));
  }

  async #answer(request: FastifyRequest, reply: FastifyReply, next: CallHandler): Promise<unknown> {
    const { accountId, token } = callerOf(request);
    const key = [token?.publisherId ?? '', accountId ?? '', addressOf(request), request.raw.url].join(' ');
    const kept = this.cache.find(key);
    if (kept !== null) return send(request, reply, kept);
    const since = this.cache.now();
    const value: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
    // The bytes of an archive are answered by their route.
    if (reply.sent || value === undefined) return undefined;
    const isText = typeof value === 'string';
    const body = isText ? value : JSON.stringify(value);
    const contentType = isText ? String(reply.getHeader('content-type')) : JSON_TYPE;
    const answer = { body, tag: entityTag(body), contentType };
    this.cache.keep(key, answer, since, downloadsIn(request));
    return send(request, reply, answer);
  }
}

function downloadsIn({ routeOptions, params }: FastifyRequest): ShownDownloads {
  if (routeOptions.url === '/nodes/:node') return { node: nodeKey((params as { readonly node: string }).node) };
  return OF_EVERY_NODE.has(routeOptions.url ?? '') ? 'every' : null;
}

/** The body; undefined with 304, which has none: null would be sent as four bytes. */
function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, tag, contentType }: KeptAnswer,
): string | undefined {
  void reply.headers({ ...READ_HEADERS, etag: tag });
  if (namesTag(headers['if-none-match'], tag)) {
    void reply.status(304).removeHeader('content-type');
    return undefined;
  }
  void reply.header('content-type', contentType);
  return body;
}
