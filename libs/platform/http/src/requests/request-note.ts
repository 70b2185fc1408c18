import type { FastifyRequest } from 'fastify';

/**
 * A value of a request that later steps read. It stands on the request itself: a `WeakMap` keyed by requests costs the
 * garbage collector a microsecond for each.
 */
export class RequestNote<T> {
  readonly #key = Symbol('note');

  set(request: FastifyRequest, value: T): void {
    (request as unknown as Record<symbol, T>)[this.#key] = value;
  }

  /** Undefined if none was set. */
  of(request: FastifyRequest): T | undefined {
    return (request as unknown as Readonly<Record<symbol, T | undefined>>)[this.#key];
  }
}
