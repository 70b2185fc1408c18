import { Server as HttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';

/** Maximum unanswered requests per connection. Node would accept any number of pipelined requests. */
const MAX_UNANSWERED = 100;

/** Closes a connection with more than `MAX_UNANSWERED` requests in progress; `onCut` is called once per connection. */
export function boundPipelining(server: Server, onCut: () => void): void {
  if (!(server instanceof HttpServer) && !(server instanceof HttpsServer)) return;
  const unanswered = new WeakMap<Socket, number>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count <= MAX_UNANSWERED) {
      response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    } else if (!socket.destroyed) {
      onCut();
      socket.destroy();
    }
  });
}
