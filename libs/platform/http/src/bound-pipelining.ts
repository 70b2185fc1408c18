import { Server as HttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';

/** Requests that one connection may have unanswered at once. Node would take any number that a client sends one behind the other. */
const MAX_UNANSWERED = 100;

/** Cuts a connection that has more than `MAX_UNANSWERED` requests under way; `onCut` is called once for each. */
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
