import { Injectable } from '@nestjs/common';
import { isCacheable, REGISTRY_ROUTES } from '@heddle/contracts-registry';
import { addressOf, pathPattern } from '@heddle/platform-http';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../authorize/caller.js';
import { namesTag } from './entity-tag.js';
import { ReadCache } from './read-cache.js';
import type { KeptAnswer } from './read-cache.js';

const CACHEABLE = new Set(REGISTRY_ROUTES.filter(isCacheable).map(({ path }) => pathPattern(path)));

/** For how long caches in front may keep a read (registry decisions, Cache); it differs by who asks. */
export const READ_HEADERS = { 'cache-control': 'public, max-age=60', vary: 'authorization' } as const;

/** Answers the reads of the last second once more, as soon as it is known who asks: no route is run for them. */
@Injectable()
export class KeptReads {
  constructor(
    private readonly cache: ReadCache,
    { httpAdapter }: HttpAdapterHost,
  ) {
    // Behind the hook that admits, and before Nest adds the routes that it is for.
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, reply, done) => this.#answer(request, reply, done));
  }

  #answer(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const kept = isKeptRead(request) ? this.cache.find(readKey(request)) : null;
    if (kept === null) done();
    else void reply.send(answered(request, reply, kept));
  }
}

/** Whether the answer to a request may be kept. */
export function isKeptRead({ method, routeOptions }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && CACHEABLE.has(routeOptions.url ?? '');
}

/** What two reads with the same answer have in common: who asks, at which address, for what. */
export function readKey(request: FastifyRequest): string {
  const { accountId, token } = callerOf(request);
  return `${token?.publisherId ?? ''} ${accountId ?? ''} ${addressOf(request)} ${request.raw.url}`;
}

/** Sets head and status; the body, or undefined with 304, which has none: null would be sent as four bytes. */
export function answered(
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
