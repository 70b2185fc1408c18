import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyReply {
    /** Catalogue code of the refusal; null if the request was not refused. */
    rejectionCode: string | null;
  }
}

/** Lets replies record the code of their refusal. */
export function rememberRejections(fastify: FastifyInstance): void {
  fastify.decorateReply('rejectionCode', null);
}

/** Null if it was not refused. */
export function rejectionCodeOf(reply: FastifyReply): string | null {
  return reply.rejectionCode;
}
