import { createRequire } from 'node:module';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshFrames } from './fresh-frames.js';

interface Connection {
  connect(): Promise<boolean>;
  disconnect(): Promise<boolean>;
  isConnected(): boolean;
  readonly requestQueue: { fulfillRequest(answer: { correlationId: number }): void };
}
const require = createRequire(import.meta.url);
const Connection = require('kafkajs/src/network/connection') as new (options: object) => Connection;
const socketFactory = (require('kafkajs/src/network/socketFactory') as () => unknown)();

describe('a connection of the client that is opened again', () => {
  let server: Server;
  let sockets: Socket[];
  let joined: (socket: Socket) => void;

  beforeEach(async () => {
    sockets = [];
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
      joined(socket);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });

  const until = async (condition: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + 5_000; !condition();) {
      if (Date.now() > deadline) throw new Error('it never came true');
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  it.each(['after a length alone', 'in the middle of an answer'])(
    'reads answers whole, cut %s',
    async (where) => {
      freshFrames();
      const silent = { info() {}, error() {}, debug() {}, warn() {}, namespace: () => silent };
      const { port } = server.address() as AddressInfo;
      const connection = new Connection({
        host: '127.0.0.1',
        port,
        logger: silent,
        socketFactory,
        connectionTimeout: 5_000,
        requestTimeout: 5_000,
      });
      const read: number[] = [];
      let bytes = 0;
      connection.requestQueue.fulfillRequest = ({ correlationId }) => void read.push(correlationId);
      joined = (socket) => {
        const begun = where === 'after a length alone' ? [0, 0, 0, 9] : [0, 0, 0, 9, 0, 0];
        socket.write(Buffer.from(begun), () => (bytes = begun.length));
      };
      await connection.connect();
      const buffered = connection as unknown as { bytesBuffered: number };
      await until(() => bytes > 0 && buffered.bytesBuffered === bytes);
      sockets[0]?.resetAndDestroy();
      await until(() => !connection.isConnected());

      joined = (socket) => void socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 8]));
      await connection.connect();
      await until(() => read.length === 2);
      expect(read).toEqual([7, 8]);
      await connection.disconnect();
    },
    10_000,
  );
});
