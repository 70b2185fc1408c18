import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the error catalogue with which the request was refused; null: it was not. */
    rejectionCode: string | null;
  }
}

/** Lets answers remember with which code they refused. */
export function rememberRejections(fastify: FastifyInstance): void {
  fastify.decorateReply('rejectionCode', null);
}

/** Null: it was not refused. */
export function rejectionCodeOf(reply: FastifyReply): string | null {
  return reply.rejectionCode;
}
