import type { Socket } from 'node:net';
import type { Answer } from '@heddle/contracts-messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendRejection } from '../refusals/send-rejection.js';
import { takeConnection } from '../connections/take-connection.js';

/** An event stream that may begin: exactly one of the two is called. */
export interface ReadyStream {
  /** The head is written; the caller owns the socket. */
  readonly begin: (socket: Socket) => void;
  /** For a request without a body in its answer, or a client that has left. */
  readonly giveUp: () => void;
}

/** Sends the head of an event stream and hands its connection over, or sends the rejection. */
export async function respondEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Promise<Answer<ReadyStream>>,
): Promise<void> {
  const ready = await answer;
  if (!ready.ok) return sendRejection(reply, ready.rejection);
  if (request.raw.socket.destroyed) {
    ready.value.giveUp();
    void reply.send();
    return;
  }
  const head = headOf(reply);
  const socket = takeConnection(request, reply);
  if (request.method === 'HEAD') {
    ready.value.giveUp();
    socket.end(head);
    return;
  }
  socket.cork();
  socket.write(head);
  ready.value.begin(socket);
  socket.uncork();
}

/** The answer ends with the connection, so it needs no chunked encoding. */
function headOf(reply: FastifyReply): string {
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}
