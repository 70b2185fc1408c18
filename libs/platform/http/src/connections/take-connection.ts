import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

const HTTP_LISTENERS = /^(bound )?(socketOn|onSocket)/;
const EVENTS = ['data', 'end', 'close', 'drain', 'error', 'timeout', 'pause', 'resume'] as const;

/**
 * Detaches a request's connection from the HTTP server, as an upgrade does: the server considers the answer complete,
 * its parser, request and response can be freed, and the caller owns the bare socket. An open event stream then costs a
 * third of the memory. Further bytes from the client are discarded; its end closes the connection.
 *
 * Node does this only for upgrades. If a later Node names its listeners differently, they stay attached, which only
 * costs memory.
 */
export function takeConnection(request: FastifyRequest, reply: FastifyReply): Socket {
  const { socket } = request.raw;
  reply.hijack();
  // With a listener of its own the socket delivers bytes to JavaScript instead of the parser.
  socket.on('data', ignore);
  reply.raw.emit('finish');
  socket.setTimeout(0);
  for (const event of EVENTS) {
    for (const listener of socket.listeners(event)) {
      if (!HTTP_LISTENERS.test(listener.name)) continue;
      socket.removeListener(event, listener as () => void);
      // The server frees its parser when it sees the connection close.
      if (event === 'close') (listener as () => void)();
    }
  }
  socket.on('error', ignore).on('end', () => socket.destroy());
  // The answer to a pipelined request is queued behind this one, which never ends.
  if (Reflect.get(socket, '_httpMessage') !== null) socket.destroy();
  return socket;
}

function ignore(): void {
  // Bytes after the request have no meaning; an error is followed by 'close'.
}
