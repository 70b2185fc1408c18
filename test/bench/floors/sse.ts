// Floor of the stream rows: on a message, writes one prebuilt chunk to the socket of each open response.
import { createServer } from 'node:http';
import type { Socket } from 'node:net';

const sockets = new Set<Socket>();

createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  const socket = response.socket;
  if (socket === null) return;
  sockets.add(socket);
  request.on('close', () => sockets.delete(socket));
}).listen(0, '127.0.0.1', 8192, function (this: import('node:net').Server) {
  process.send?.((this.address() as import('node:net').AddressInfo).port);
});

process.on('message', (data: string) => {
  const frame = Buffer.from(`event: progress\ndata: ${data}\n\n`);
  const chunk = Buffer.concat([Buffer.from(`${frame.length.toString(16)}\r\n`), frame, Buffer.from('\r\n')]);
  for (const socket of sockets) socket.write(chunk);
});
