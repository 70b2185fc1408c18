import type { FastifyReply } from 'fastify';

const codes = new WeakMap<FastifyReply, string>();

/** Remembers with which code of the error catalogue a request was refused. */
export function noteRejection(reply: FastifyReply, code: string): void {
  codes.set(reply, code);
}

/** Null: it was not refused. */
export function rejectionCodeOf(reply: FastifyReply): string | null {
  return codes.get(reply) ?? null;
}
