import { createRequire } from 'node:module';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Kafka } from 'kafkajs';
import { until } from '../bus/message-bus.suite.js';
import { ensureTopics } from './ensure-topics.js';
import type { PatchedConsumer } from './patched-client.js';
import { bareClient, kafkaIsSkipped, startedKafka } from './real-kafka.fixture.js';

interface Connection {
  connect(): Promise<boolean>;
  disconnect(): Promise<boolean>;
  isConnected(): boolean;
  readonly requestQueue: { fulfillRequest(answer: { correlationId: number }): void };
}
interface RequestQueue {
  readonly throttleCheckTimeoutId: unknown;
  push(request: object): void;
  fulfillRequest(answer: { correlationId: number }): void;
  maybeThrottle(ms: number): void;
  destroy(): void;
}
const require = createRequire(import.meta.url);
const Connection = require('kafkajs/src/network/connection') as new (options: object) => Connection;
const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => RequestQueue;
const silent = { info() {}, error() {}, debug() {}, warn() {}, namespace: () => silent };
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

  it.each(['after a length alone', 'in the middle of an answer'])(
    'reads answers whole, cut %s',
    async (where) => {
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
      await until('it came true', () => bytes > 0 && buffered.bytesBuffered === bytes);
      sockets[0]?.resetAndDestroy();
      await until('it came true', () => !connection.isConnected());

      joined = (socket) => void socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 8]));
      await connection.connect();
      await until('it came true', () => read.length === 2);
      expect(read).toEqual([7, 8]);
      await connection.disconnect();
    },
    10_000,
  );
});

describe('the queue of requests of a connection', () => {
  const sent: number[] = [];
  const request = (correlationId: number) => ({
    entry: { correlationId, resolve() {}, reject() {} },
    expectResponse: true,
    sendRequest: () => sent.push(correlationId),
  });

  it('has a timer only while throttling holds a request back, which is sent afterwards', async () => {
    const queue = new RequestQueue({ requestTimeout: 1_000, clientId: 'spec', broker: 'broker', logger: silent });
    queue.push(request(1));
    queue.fulfillRequest({ correlationId: 1 });
    expect(queue.throttleCheckTimeoutId).toBeNull();
    queue.maybeThrottle(50);
    const throttledAt = performance.now();
    queue.push(request(2));
    expect(sent).toEqual([1]);
    expect(queue.throttleCheckTimeoutId).not.toBeNull();
    await until('it was sent', () => sent.length === 2);
    expect(performance.now() - throttledAt).toBeGreaterThan(45);
    expect(queue.throttleCheckTimeoutId).toBeNull();
    queue.destroy();
  });
});

describe.skipIf(await kafkaIsSkipped())('a consumer that takes the place of another', () => {
  const TOPIC = 'heddle.place.events.v1';
  const SESSION_MS = 20_000;

  async function joined(kafka: Kafka, memberId: string | null): Promise<[PatchedConsumer, string]> {
    const consumer = kafka.consumer({ groupId: 'place', sessionTimeout: SESSION_MS, memberId }) as PatchedConsumer;
    let id = '';
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => void (id = payload.memberId));
    await consumer.connect();
    await consumer.subscribe({ topic: TOPIC });
    await consumer.run({ eachMessage: async () => await Promise.resolve() });
    await until('it joined', () => id !== '', SESSION_MS);
    return [consumer, id];
  }

  it('is that member, without waiting for the end of its session; an unknown member is a new one', async () => {
    const kafka = await startedKafka();
    const open: PatchedConsumer[] = [];
    try {
      const connection = { brokers: kafka.brokers, clientId: 'spec' };
      await ensureTopics(connection, [{ name: TOPIC, partitions: 1, replicas: 1, retentionMs: 3_600_000 }]);
      const client = bareClient(kafka.brokers);
      const [first, id] = await joined(client, null);
      open.push(first);
      expect(first.handOver()).toBe(id);
      await first.disconnect();

      const startedAt = Date.now();
      const [second, secondId] = await joined(client, id);
      open.push(second);
      expect(secondId).toBe(id);
      expect(Date.now() - startedAt).toBeLessThan(SESSION_MS / 2);
      await second.disconnect();
      expect(second.handOver()).toBeNull();

      const [third, thirdId] = await joined(client, id);
      open.push(third);
      expect(thirdId).not.toBe(id);
    } finally {
      for (const consumer of open) await consumer.disconnect();
      await kafka.stop();
    }
  }, 120_000);
});
