import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { pause } from '../http-load.ts';

const TOPIC_MESSAGES = 32;

/** A bare producer and a bare consumer of one topic, one message at a time */
export interface LiveFloor {
  /** Milliseconds from the producer's call until the consumer has the message */
  once(bytes: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** The unmodified client library of the product, with the same durability (`acks` of all). */
export async function liveFloor(brokers: readonly string[]): Promise<LiveFloor> {
  const topic = `bench-floor-${randomUUID()}`;
  const kafka = new Kafka({ clientId: 'bench-floor', brokers: [...brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
  const [producer, consumer] = [
    kafka.producer({ idempotent: true, maxInFlightRequests: 1 }),
    kafka.consumer({ groupId: topic }),
  ];
  await Promise.all([producer.connect(), consumer.connect()]);
  await consumer.subscribe({ topic, fromBeginning: true });
  const arrived = new Map<string, (at: number) => void>();
  await consumer.run({
    eachMessage: ({ message }) => {
      const key = message.key?.toString() ?? '';
      arrived.get(key)?.(performance.now());
      arrived.delete(key);
      return Promise.resolve();
    },
  });
  const once = async (bytes: Buffer): Promise<number> => {
    const key = randomUUID();
    const arrival = new Promise<number>((resolve) => arrived.set(key, resolve));
    const began = performance.now();
    await producer.send({ topic, messages: [{ key, value: bytes }], acks: -1 });
    return (await arrival) - began;
  };
  for (let warm = 0; warm < TOPIC_MESSAGES; warm += 1) await once(Buffer.from('warm'));
  await pause(0);
  return {
    once,
    close: async () => {
      await Promise.all([producer.disconnect(), consumer.disconnect()]);
    },
  };
}
