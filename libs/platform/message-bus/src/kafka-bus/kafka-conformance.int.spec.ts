import { afterAll, beforeAll, describe } from 'vitest';
import type { RunningKafka } from '@heddle/local-servers';
import { describeMessageBus } from '../bus/message-bus.suite.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { kafkaIsSkipped, startedKafka } from './real-kafka.fixture.js';
import { ensureTopics } from './ensure-topics.js';

describe.skipIf(await kafkaIsSkipped())('on a real broker', () => {
  let kafka: RunningKafka;

  beforeAll(async () => {
    kafka = await startedKafka();
  });
  afterAll(async () => {
    await kafka.stop();
  });

  describeMessageBus('the bus over Kafka', async (options, topic) => {
    const connection = { brokers: kafka.brokers, clientId: 'conformance' };
    await ensureTopics(connection, [{ name: topic, partitions: 4, replicas: 1, retentionMs: 3_600_000 }]);
    // Delivery is guaranteed only once the group was joined.
    return await KafkaMessageBus.connect({ ...connection, ...options, startPatienceMs: 30_000 });
  });
});
