import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';
import type { Kafka, Producer, TopicMessages } from 'kafkajs';
import { BusClosedError } from '../bus/message-bus.js';
import {
  BusUnreachableError,
  clientFailures,
  hasType,
  reasonOf,
  refusalOf,
  UnpublishableMessageError,
} from './bus-failures.js';
import type { HealthOfParts } from './bus-health.js';
import { keyPartitioner } from './key-partitioner.js';
import type { OutgoingRecord } from './message-record.js';
import type { BusLog } from './kafka-bus-options.js';
import { OpenClient } from './open-client.js';
import { withinMs } from './time-limit.js';
import { TopicPartitions } from './topic-partitions.js';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** How far a request may exceed the deadline of its records. */
const GRACE_MS = 1_000;
/** A broker that hangs keeps its connections, and the client retries it; a new producer starts at another broker. */
const ATTEMPT_WITHIN_MS = 6_000;
const PART = 'publishing';

/** The broker does not know this producer id, or no longer accepts its sequence numbers: only a new producer helps. */
const PRODUCER_LOST = [
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
  'PRODUCER_FENCED',
];
/** Never accepted, however often it is sent. */
const NEVER_TAKEN = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'CORRUPT_MESSAGE'];

/** Records not acknowledged yet; null until their partitions are known. */
interface Left {
  groups: Set<TopicMessages> | null;
}

interface SenderCounters {
  /** Failed attempts, retried or given up. */
  failedSends: number;
  /** Number of replaced producers. */
  newProducers: number;
}

/**
 * The idempotent producer with its retry loop. A request with unknown outcome is repeated unchanged, so that the broker
 * recognizes it; only if nothing answers, a new producer repeats it, and the records may then exist twice. A request
 * that is given up takes its producer with it: the next request would reuse its sequence numbers, and a broker that had
 * stored the first would acknowledge the second without storing it.
 *
 * Each partition has its own call. On failure the client resets a partition's sequence number; in a call for several
 * brokers one failure repeats all, while another request is still open, and its late reset would give used numbers to
 * other records, which the broker would acknowledge as duplicates and not store.
 */
export class RecordSender {
  #producer: OpenClient<Producer> | undefined;
  #closed = false;
  readonly #partitions: TopicPartitions;
  readonly counters: SenderCounters = { failedSends: 0, newProducers: 0 };

  constructor(
    private readonly kafka: Kafka,
    private readonly health: HealthOfParts,
    private readonly log: BusLog,
  ) {
    this.#partitions = new TopicPartitions(kafka);
  }

  /** Resolves when every in-sync replica has all records; retries until the deadline (epoch ms). */
  async send(records: readonly OutgoingRecord[], deadline: number): Promise<void> {
    const left: Left = { groups: null };
    for (let failures = 0; ; failures += 1) {
      if (this.#closed) throw new BusClosedError();
      try {
        const limitMs = Math.min(ATTEMPT_WITHIN_MS, deadline + GRACE_MS - Date.now());
        await withinMs(limitMs, this.#attempt(records, left), noAnswer);
        this.health.report(PART, null);
        return;
      } catch (error) {
        this.counters.failedSends++;
        const pauseMs = backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS);
        this.#judge(error, Date.now() + pauseMs >= deadline, records);
        this.health.report(
          PART,
          `publishing to ${[...new Set(records.map(({ topic }) => topic))].join(', ')}: ${whyNotSent(error)}`,
        );
        await delay(pauseMs);
      }
    }
  }

  /** Connects before the first message, to keep its latency low. */
  async connect(): Promise<void> {
    await this.#connected();
  }

  /** Requests in flight are given up at their next failure. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#discard();
  }

  async #attempt(records: readonly OutgoingRecord[], left: Left): Promise<void> {
    const producer = await this.#connected();
    const groups = (left.groups ??= new Set(await this.#partitions.group(records)));
    const sent = await Promise.allSettled(
      [...groups].map(async (group) => {
        // The client groups messages by topic in the array that it receives.
        await producer.use(async (client) => await client.sendBatch({ topicMessages: [{ ...group }], acks: -1 }));
        groups.delete(group);
      }),
    );
    const failed = sent.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #connected(): Promise<OpenClient<Producer>> {
    if (this.#closed) throw new BusClosedError();
    const producer = (this.#producer ??= this.#open());
    try {
      await producer.connect();
    } catch (error) {
      if (this.#producer === producer) void this.#discard();
      throw error;
    }
    return producer;
  }

  #open(): OpenClient<Producer> {
    const producer = new OpenClient(
      this.kafka.producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        createPartitioner: keyPartitioner,
        retry: { retries: 1 },
      }),
    );
    producer.connect().then(
      () => void this.counters.newProducers++,
      () => undefined,
    );
    return producer;
  }

  /** Returns if the send is to be repeated, throws if it is given up. */
  #judge(error: unknown, isLate: boolean, records: readonly OutgoingRecord[]): void {
    const refusal = refusalOf(error);
    const neverTaken = hasType(error, ...NEVER_TAKEN);
    if (refusal || neverTaken || isLate || isUnanswered(error) || hasType(error, ...PRODUCER_LOST))
      void this.#discard();
    // The next publish may be long away; other parts report why the brokers do not answer.
    this.health.report(PART, null);
    if (refusal) throw refusal;
    if (neverTaken) {
      const largest = Math.max(...records.map(({ bytes }) => bytes));
      throw new UnpublishableMessageError(
        `Kafka refuses the messages: ${reasonOf(error)} (the largest has ${largest} bytes).`,
      );
    }
    if (!isLate) return;
    this.log('warn', 'messages were not published in time', { messages: records.length, reason: reasonOf(error) });
    throw new BusUnreachableError(`No broker took the messages in time: ${reasonOf(error)}`, { cause: error });
  }

  async #discard(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    this.#partitions.evict();
    await producer?.leave();
  }
}

function noAnswer(): BusUnreachableError {
  return new BusUnreachableError('No answer in time.');
}

/** Kafka's own words for a lost topic name neither the topic nor what to do. */
function whyNotSent(error: unknown): string {
  const isLost = hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION');
  return isLost ? 'the topic does not exist; heddle migrate creates it' : reasonOf(error);
}

function isUnanswered(error: unknown): boolean {
  return clientFailures(error).some(
    ({ name }) => name === 'KafkaJSRequestTimeoutError' || name === 'BusUnreachableError',
  );
}
