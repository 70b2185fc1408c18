import { pipeline } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ownTurn } from './own-turn.js';
import type { Refusal } from '../refusals/refusal.js';
import { sendRejection } from '../refusals/send-rejection.js';

type Headers = Readonly<Record<string, string>>;

/** Bytes that were opened for one answer. */
interface OpenedBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Closes the source, read or not. */
  readonly close: () => void;
}

export type BytesAnswer =
  /** `body` is null if only the head is sent. */
  | { readonly ok: true; readonly status: number; readonly headers: Headers; readonly body: OpenedBytes | null }
  | { readonly ok: false; readonly rejection: Refusal; readonly headers?: Headers };

/** Sends bytes, or the rejection. `open` runs before the head is sent, so that a failure still gets its envelope. */
export async function respondBytes(reply: FastifyReply, open: () => Promise<BytesAnswer>): Promise<void> {
  // Thousands of pipelined requests on one connection must not each hold an open file with read-ahead.
  await ownTurn(reply.raw);
  if (reply.raw.destroyed) return void reply.hijack();
  const answer = await open();
  if (!answer.ok) {
    void reply.headers(answer.headers ?? {});
    return sendRejection(reply, answer.rejection);
  }
  if (reply.raw.destroyed) {
    // The client left while the bytes were opened.
    answer.body?.close();
    return void reply.hijack();
  }
  // A manually written reply must include headers set by hooks (CORS).
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
  reply.raw.writeHead(answer.status, { ...answer.headers, 'x-request-id': reply.request.id });
  if (answer.body === null) reply.raw.end();
  else sendBody(reply, answer.body);
}

function sendBody({ raw }: FastifyReply, { bytes, close }: OpenedBytes): void {
  // An aborted client ends the pipeline and the read; content that fails cuts the connection. A source that is never
  // read must be closed here.
  raw.once('close', close);
  pipeline(bytes, raw, (error) => {
    if (error) raw.destroy();
  });
}
