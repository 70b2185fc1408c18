import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningKafka } from '@heddle/local-servers';
import { aMessage, until } from '../bus/message-bus.suite.js';
import { CuttingProxy } from './cutting-proxy.fixture.js';
import { ensureTopics } from './ensure-topics.js';
import type { KafkaConnectionOptions } from './kafka-bus-options.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { kafkaIsSkipped, startedKafka, freshGroup } from './real-kafka.fixture.js';

const TOPIC = 'heddle.stop.events.v1';
const TEST_TIMEOUT_MS = 120_000;
/** A process has 9.5 s for its whole stop, and the bus is one of its parts. */
const STOPS_WITHIN_MS = 7_500;
const KINDS = {
  Produce: 0,
  Fetch: 1,
  ListOffsets: 2,
  Metadata: 3,
  OffsetCommit: 8,
  OffsetFetch: 9,
  FindCoordinator: 10,
  JoinGroup: 11,
  SyncGroup: 14,
  ApiVersions: 18,
};

describe.skipIf(await kafkaIsSkipped())(
  'a bus that is closed ends soon, also while a broker gives no answer',
  { timeout: TEST_TIMEOUT_MS },
  () => {
    const proxy = new CuttingProxy();
    let kafka: RunningKafka;
    let options: KafkaConnectionOptions;

    beforeAll(async () => {
      const port = await proxy.listen();
      kafka = await startedKafka({ advertisedPorts: [port] });
      proxy.target = Number(kafka.brokers[0]?.split(':')[1]);
      options = { brokers: [`127.0.0.1:${port}`], clientId: 'stop' };
      await ensureTopics(options, [{ name: TOPIC, partitions: 4, replicas: 1, retentionMs: 3_600_000 }]);
    }, TEST_TIMEOUT_MS);
    afterAll(async () => {
      await kafka.stop();
      await proxy.close();
    }, TEST_TIMEOUT_MS);

    it.each(Object.entries(KINDS))('to %s', async (_, kind) => {
      const bus = await KafkaMessageBus.connect(options);
      const handle = async (): Promise<void> => await Promise.resolve();
      const subscribe = async (): Promise<unknown> =>
        await Promise.all([
          bus.subscribe(TOPIC, freshGroup(), handle),
          bus.subscribe(TOPIC, freshGroup(), handle, { everyProcess: true }),
        ]);
      await subscribe();
      proxy.swallowed = 0;
      proxy.swallows = kind;
      proxy.cut();
      const published = bus.publish(TOPIC, [aMessage('key', 'id')]).catch(() => undefined);
      const subscribed = subscribe();
      await until('a request was swallowed', () => proxy.swallowed > 0, 20_000);
      const asked = performance.now();
      await bus.close();
      const ms = performance.now() - asked;
      proxy.swallows = null;
      proxy.cut();
      await Promise.all([published, subscribed]);
      expect(ms).toBeLessThan(STOPS_WITHIN_MS);
    });
  },
);
