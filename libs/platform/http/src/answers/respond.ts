import type { Answer } from '@heddle/contracts-messages';
import type { FastifyReply } from 'fastify';
import { sendRejection } from '../refusals/send-rejection.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a value as JSON, or the rejection; `status` may depend on the value. */
export async function respond<T>(
  reply: FastifyReply,
  answer: Promise<Answer<T>>,
  status: number | ((value: T) => number),
  render: (value: T) => string | Buffer,
): Promise<void> {
  const settled = await answer;
  if (!settled.ok) {
    sendRejection(reply, settled.rejection);
    return;
  }
  const code = typeof status === 'number' ? status : status(settled.value);
  void reply.status(code).header('content-type', JSON_TYPE).send(render(settled.value));
}

/** Sends a value as JSON with 200, or 204 where there is none. */
export async function respondIfAny<T>(
  reply: FastifyReply,
  answer: Promise<Answer<T | null>>,
  render: (value: T) => string,
): Promise<void> {
  const settled = await answer;
  if (!settled.ok) sendRejection(reply, settled.rejection);
  else if (settled.value === null) void reply.status(204).send();
  else void reply.status(200).header('content-type', JSON_TYPE).send(render(settled.value));
}

/** Sends an answer without a body. */
export async function respondEmpty(
  reply: FastifyReply,
  answer: Promise<Answer<unknown>>,
  status: number,
): Promise<void> {
  const settled = await answer;
  if (settled.ok) void reply.status(status).send();
  else sendRejection(reply, settled.rejection);
}
