import { randomUUID } from 'node:crypto';
import type { Admin, IHeaders, Kafka, KafkaMessage } from 'kafkajs';
import { BusUnreachableError, reasonOf, refusalOf } from './bus-failures.js';
import { deadLetterTopic, RETRIED } from './dead-letter-record.js';
import type { KafkaConnectionOptions } from './kafka-bus-options.js';
import { kafkaClient } from './kafka-client.js';
import { keyPartitioner } from './key-partitioner.js';
import { OWN_HEADERS } from './message-record.js';

/** A dead letter as stored in its dead-letter topic. */
export interface KeptLetter {
  /** Topic of the message and offset in its dead-letter topic, such as `heddle.jobs.events.v1@12`. */
  readonly id: string;
  readonly topic: string;
  readonly group: string;
  readonly key: string;
  readonly messageId: string;
  readonly type: string;
  readonly reason: string;
  readonly attempts: number;
  /** Where the message was in its topic. */
  readonly partition: number;
  readonly offset: string;
  /** ISO 8601. */
  readonly deadAt: string;
  /** ISO 8601; null until the letter is sent again. */
  readonly retriedAt: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Buffer | null;
}

/** The largest JavaScript date. */
const MAX_INSTANT_MS = 8.64e15;
const READ_WITHIN_MS = 60_000;
const DEAD = `${OWN_HEADERS}dead-`;

/** Reads the dead-letter topics of some topics from their beginning, and publishes letters again, for operators. */
export class DeadLetterBox {
  readonly #kafka: Kafka;

  constructor(
    private readonly connection: KafkaConnectionOptions,
    private readonly topics: readonly string[],
  ) {
    this.#kafka = kafkaClient(connection);
  }

  /**
   * Every stored letter; within a topic in the order of their failure. Fails with `BusUnreachableError` or
   * `BusRefusedError`.
   */
  async letters(): Promise<readonly KeptLetter[]> {
    return await this.#reached(async () => {
      const admin = this.#kafka.admin();
      try {
        await admin.connect();
        const found = new Set(await admin.listTopics());
        const kept: KeptLetter[] = [];
        for (const topic of this.topics.filter((name) => found.has(deadLetterTopic(name)))) {
          kept.push(...lettersOf(topic, await this.#read(admin, deadLetterTopic(topic))));
        }
        return kept;
      } finally {
        await admin.disconnect().catch(() => undefined);
      }
    });
  }

  /** Publishes the original records to their topics and marks the letters as retried. */
  async retry(letters: readonly KeptLetter[]): Promise<void> {
    await this.#reached(async () => {
      const producer = this.#kafka.producer({ createPartitioner: keyPartitioner, allowAutoTopicCreation: false });
      try {
        await producer.connect();
        for (const letter of letters) {
          const { topic, key, value, headers } = letter;
          const original = Object.entries(headers).filter(([name]) => !name.startsWith(DEAD));
          const record = { key: key === '' ? null : Buffer.from(key), value, headers: Object.fromEntries(original) };
          await producer.send({ topic, acks: -1, messages: [record] });
          const mark = { key: null, value: null, headers: { [RETRIED]: letter.id.slice(topic.length + 1) } };
          await producer.send({ topic: deadLetterTopic(topic), acks: -1, messages: [mark] });
        }
      } finally {
        await producer.disconnect().catch(() => undefined);
      }
    });
  }

  /** The current content of the topic. */
  async #read(admin: Admin, topic: string): Promise<readonly KafkaMessage[]> {
    const ends = new Map<number, bigint>();
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      if (low !== high) ends.set(partition, BigInt(high));
    }
    if (ends.size === 0) return [];
    const records: KafkaMessage[] = [];
    const groupId = `heddle-dead-letters-${randomUUID()}`;
    const consumer = this.#kafka.consumer({ groupId, allowAutoTopicCreation: false });
    const whole = Promise.withResolvers<void>();
    const late = setTimeout(() => whole.reject(new Error(`${topic} was not read in time`)), READ_WITHIN_MS);
    try {
      consumer.on(consumer.events.CRASH, ({ payload }) => whole.reject(payload.error));
      await consumer.connect();
      await consumer.subscribe({ topic, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ partition, message }) => {
          records.push(message);
          if (BigInt(message.offset) + 1n >= (ends.get(partition) ?? 0n)) ends.delete(partition);
          if (ends.size === 0) whole.resolve();
          await Promise.resolve();
        },
      });
      await whole.promise;
    } finally {
      clearTimeout(late);
      await consumer.disconnect().catch(() => undefined);
      await admin.deleteGroups([groupId]).catch(() => undefined);
    }
    return records;
  }

  async #reached<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { brokers } = this.connection;
      throw (
        refusalOf(error) ??
        new BusUnreachableError(`Kafka at ${brokers.join(', ')} did not answer: ${reasonOf(error)}`, { cause: error })
      );
    }
  }
}

function lettersOf(topic: string, records: readonly KafkaMessage[]): KeptLetter[] {
  const retried = new Map<string, string>();
  for (const { headers, timestamp } of records) {
    const offset = lastHeaderText(headers?.[RETRIED]);
    if (offset !== '') retried.set(offset, instantOf(timestamp));
  }
  return records
    .filter(({ headers }) => headers?.[RETRIED] === undefined)
    .map(({ key, value, headers = {}, offset, timestamp }) => ({
      id: `${topic}@${offset}`,
      topic,
      group: lastHeaderText(headers[`${DEAD}group`]),
      key: key?.toString('utf8') ?? '',
      messageId: lastHeaderText(headers[`${OWN_HEADERS}id`]),
      type: lastHeaderText(headers[`${OWN_HEADERS}type`]),
      reason: lastHeaderText(headers[`${DEAD}reason`]),
      attempts: Number(lastHeaderText(headers[`${DEAD}attempts`])),
      partition: Number(lastHeaderText(headers[`${DEAD}partition`])),
      offset: lastHeaderText(headers[`${DEAD}offset`]),
      deadAt: instantOf(timestamp),
      retriedAt: retried.get(offset) ?? null,
      headers: Object.fromEntries(Object.keys(headers).map((name) => [name, lastHeaderText(headers[name])])),
      value,
    }));
}

/** The producer's timestamp may be any number; out-of-range values become the largest date. */
export function instantOf(timestamp: string): string {
  const ms = Math.max(-MAX_INSTANT_MS, Math.min(MAX_INSTANT_MS, Number(timestamp)));
  return new Date(ms).toISOString();
}

/** The last value of a repeated header; empty if missing. */
function lastHeaderText(value: IHeaders[string]): string {
  return (Array.isArray(value) ? value.at(-1) : value)?.toString() ?? '';
}
