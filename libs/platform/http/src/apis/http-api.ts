import { methodsOf } from '@heddle/contracts-api-v2';
import { refuse } from '@heddle/contracts-messages';
import type { FastifyRequest, HTTPMethods } from 'fastify';
import { errorAnswer } from '../refusals/envelope.js';
import type { ErrorAnswer } from '../refusals/envelope.js';
import type { Refusal } from '../refusals/refusal.js';

/** What an application answers in a form of its own: each contract has its own error bodies and paths. */
export interface HttpApi {
  /** A refusal as status, headers and body. `target` is that of the request, or "" where there is none. */
  answer(refusal: Refusal, target: string): ErrorAnswer;
  /** The methods of a path that is served with others than that of the request; empty: nothing is served there. */
  methodsBeside(request: FastifyRequest, path: string): readonly string[];
  /** The refusal of a body over its limit in bytes. */
  bodyTooLarge(limit: number): Refusal;
}

declare module 'fastify' {
  interface FastifyInstance {
    httpApi: HttpApi;
  }
}

/** The API of api-v2. */
export const V2_API: HttpApi = {
  answer: errorAnswer,
  // Those that are served on this surface; a page at `/` is served on some surfaces and is not an operation of v2.
  methodsBeside: ({ server }, path) =>
    path === '/' && server.hasRoute({ method: 'GET', url: '/' })
      ? ['GET', 'HEAD']
      : methodsOf(path, (route) => server.hasRoute({ method: route.method, url: pathPattern(route.path) })),
  bodyTooLarge: (limit) => refuse('payload_too_large', { case: 'body', limit }),
};

/** A path of a route table as Fastify writes it. */
export function pathPattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Those of the methods with which a path is served, by the routes alone. */
export function methodsServed(methods: readonly HTTPMethods[]): HttpApi['methodsBeside'] {
  return ({ server }, path) =>
    methods.filter((method) => {
      const route = server.findRoute({ method, url: path });
      // The router takes an empty last segment for a parameter; no route has an empty id.
      return route !== null && !Object.values(route.params).includes('');
    });
}
