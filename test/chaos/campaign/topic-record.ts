import { randomUUID } from 'node:crypto';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobMessage } from '@heddle/contracts-messages';
import { Kafka, logLevel } from 'kafkajs';
import type { KafkaMessage } from 'kafkajs';

const READ_WITHIN_MS = 60_000;

/** One record of the topic of job events */
export interface TopicRecord {
  readonly partition: number;
  readonly offset: number;
  /** The record's key. */
  readonly key: string;
  readonly eventId: string;
  readonly type: string;
  /** Sequence number of the log, from the record's headers */
  readonly seq: number;
  readonly jobId: string;
  readonly version: number;
}

/** Reads all records of a topic of job events, by partition and offset. */
export async function readTopic(
  brokers: readonly string[],
  topic: string = JOB_EVENTS_TOPIC,
): Promise<readonly TopicRecord[]> {
  const kafka = new Kafka({ brokers: [...brokers], clientId: 'heddle-campaign', logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const open = new Map(
    ends.filter(({ high, low }) => high !== low).map(({ partition, high }) => [partition, Number(high)]),
  );
  const records: TopicRecord[] = [];
  if (open.size === 0) return records;
  const consumer = kafka.consumer({ groupId: `campaign-${randomUUID()}` });
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(
    () => reject(new Error(`the topic was not read within ${READ_WITHIN_MS} ms`)),
    READ_WITHIN_MS,
  );
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ partition, message }) => {
        records.push(recordOf(partition, message));
        if (Number(message.offset) + 1 >= (open.get(partition) ?? 0)) open.delete(partition);
        if (open.size === 0) resolve();
        await Promise.resolve();
      },
    });
    await whole;
  } finally {
    clearTimeout(late);
    await consumer.disconnect();
  }
  return records.sort((one, other) => one.partition - other.partition || one.offset - other.offset);
}

/** Names of the dead-letter topics. */
export async function deadLetterTopics(brokers: readonly string[]): Promise<readonly string[]> {
  const admin = new Kafka({ brokers: [...brokers], clientId: 'heddle-campaign', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const names = (await admin.listTopics()).filter((name) => name.endsWith('.dlq'));
    const ends = await Promise.all(names.map(async (name) => await admin.fetchTopicOffsets(name)));
    return names.filter((_, at) => ends[at]!.some(({ high }) => Number(high) > 0));
  } finally {
    await admin.disconnect();
  }
}

function recordOf(partition: number, { key, value, headers, offset }: KafkaMessage): TopicRecord {
  const { jobId, version } = JSON.parse(value?.toString() ?? '{}') as JobMessage;
  const header = (name: string): string => headers?.[name]?.toString() ?? '';
  return {
    partition,
    offset: Number(offset),
    key: key?.toString() ?? '',
    eventId: header('heddle-id'),
    type: header('heddle-type'),
    seq: Number(header('seq')),
    jobId,
    version,
  };
}
