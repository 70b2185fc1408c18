import { refuse } from '@heddle/contracts-messages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyBudget } from '../bodies/body-budget.js';
import { AnswerShares } from './answer-shares.js';
import { ownMemory } from './large-json.js';

/** Answers from this size on are charged. Beside the buffers of its connection a smaller one is little. */
const CHARGED_BYTES = 16 * 1024;
const BUSY_RETRY_SECONDS = 1;
/** Headers of the replaced answer: a cache must not keep the refusal in its place. */
const OF_THE_ANSWER = ['cache-control', 'etag'];

interface AnswerCharges {
  readonly bodies: BodyBudget;
  /** Routes (method and path) that change nothing if they are called again. Default: there are none. */
  readonly repeatable?: ReadonlySet<string>;
  /** Null: of no account, or of the only one. Default: always. */
  accountOf?(request: FastifyRequest): string | null;
}

/**
 * Counts large answers in the byte budget until their clients have taken them. A refusal may have megabytes, and a
 * client may take it as slowly as it likes. Beyond the share, an answer that can be asked for again is replaced by 429;
 * one is always sent, whatever its size.
 */
export function chargeAnswers(
  fastify: FastifyInstance,
  { bodies, repeatable = new Set(), accountOf = () => null }: AnswerCharges,
): void {
  const answers = new AnswerShares(bodies);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isLarge(payload)) return done(null, payload);
    const bytes = Buffer.byteLength(payload);
    const account = accountOf(request);
    const full = answers.take(account, bytes);
    if (full !== null) {
      if (mayBeRefused(request, reply, repeatable)) {
        if (typeof payload !== 'string') freeAnswer(payload);
        return done(null, refused(request, reply, full));
      }
      answers.add(account, bytes);
    }
    const held = typeof payload === 'string' ? encoded(payload, bytes) : payload;
    reply.raw.once('close', () => {
      answers.give(account, bytes);
      freeAnswer(held);
    });
    done(null, held);
  });
}

function isLarge(payload: unknown): payload is string | Buffer {
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= CHARGED_BYTES;
}

/** A client that created something must learn of it. */
function mayBeRefused(
  { method, routeOptions }: FastifyRequest,
  { statusCode }: FastifyReply,
  repeatable: ReadonlySet<string>,
): boolean {
  return statusCode >= 400 || method === 'GET' || method === 'HEAD' || repeatable.has(`${method} ${routeOptions.url}`);
}

function refused(request: FastifyRequest, reply: FastifyReply, full: 'process' | 'account'): string | Buffer {
  const text = full === 'account' ? 'account_answers' : 'answer_budget';
  const rejection = refuse('rate_limited', { case: text }, { retryAfterSeconds: BUSY_RETRY_SECONDS });
  const { status, headers, body } = request.server.httpApi.answer(rejection, request.raw.url ?? '');
  for (const name of OF_THE_ANSWER) void reply.removeHeader(name);
  void reply.status(status).headers(headers);
  reply.rejectionCode = rejection.code;
  return body;
}

/** What a client does not take of a text is held beside it as a copy. Bytes are held once. */
function encoded(text: string, bytes: number): Buffer {
  const buffer = ownMemory(bytes);
  buffer.write(text);
  return buffer;
}

/** Only memory of its own: other bytes may be of several answers. */
function freeAnswer({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0);
}
