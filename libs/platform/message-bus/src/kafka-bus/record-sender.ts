import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka, Producer, TopicMessages } from 'kafkajs';
import { BusClosedError } from '../bus/message-bus.js';
import {
  BusUnreachableError,
  causesOf,
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
/** How far a request may run past the deadline of what it carries. */
const GRACE_MS = 1_000;
/** A broker that hangs keeps its connections, and the client asks it again and again; a new producer begins at another. */
const ATTEMPT_WITHIN_MS = 6_000;
const PART = 'publishing';

/** The broker does not know, or no longer trusts, this producer's numbers: only a new producer helps. */
const PRODUCER_LOST = [
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
  'PRODUCER_FENCED',
];
/** However often it is sent. */
const NEVER_TAKEN = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'CORRUPT_MESSAGE'];

/** What has not been acknowledged; null until its partitions are known. */
interface Left {
  groups: Set<TopicMessages> | null;
}

export interface SenderCounters {
  /** Attempts that failed and were made again, or given up. */
  failedSends: number;
  /** Times that a new producer took the place of one. */
  newProducers: number;
}

/**
 * The idempotent producer and the loop around it. A request whose outcome is open is repeated as it was, so that the broker knows it again;
 * only where nothing answers at all it is repeated by a new producer, and may then be there twice. When it is given up, the producer
 * goes with it: the next request would carry the same sequence numbers, and a broker that had taken the first would acknowledge the
 * second without storing it.
 *
 * Each partition is sent by a call of its own. The client counts a partition's sequence back when a request fails; in a call for several
 * brokers, one that fails makes it repeat all while another is still open, and what is counted back late is then given to other records,
 * which the broker acknowledges as known and does not store.
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

  /** Resolves when every in-sync replica has all records; tries until the deadline (epoch ms). */
  async send(records: readonly OutgoingRecord[], deadline: number): Promise<void> {
    const left: Left = { groups: null };
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      if (this.#closed) throw new BusClosedError();
      try {
        const limitMs = Math.min(ATTEMPT_WITHIN_MS, deadline + GRACE_MS - Date.now());
        await withinMs(limitMs, this.#attempt(records, left), noAnswer);
        this.health.report(PART, null);
        return;
      } catch (error) {
        this.counters.failedSends++;
        this.#judge(error, Date.now() + pause >= deadline, records);
        this.health.report(
          PART,
          `publishing to ${[...new Set(records.map(({ topic }) => topic))].join(', ')}: ${reasonOf(error)}`,
        );
        await delay(pause);
      }
    }
  }

  /** Connects ahead of the first message, so that it does not wait for that. */
  async connect(): Promise<void> {
    await this.#connected();
  }

  /** What is under way is given up at its next failure. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#discard();
  }

  async #attempt(records: readonly OutgoingRecord[], left: Left): Promise<void> {
    const producer = await this.#connected();
    const groups = (left.groups ??= new Set(await this.#partitions.group(records)));
    const sent = await Promise.allSettled(
      [...groups].map(async (group) => {
        // The client gathers messages of a topic into the array it is given.
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

  /** Returns where the send is to be repeated, throws where it is given up. */
  #judge(error: unknown, isLate: boolean, records: readonly OutgoingRecord[]): void {
    const refusal = refusalOf(error);
    const neverTaken = hasType(error, ...NEVER_TAKEN);
    if (refusal || neverTaken || isLate || isUnanswered(error) || hasType(error, ...PRODUCER_LOST))
      void this.#discard();
    // Nobody may publish for a long time now; what keeps the brokers from answering is told by others.
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
    this.#partitions.forget();
    await producer?.leave();
  }
}

function noAnswer(): BusUnreachableError {
  return new BusUnreachableError('No answer in time.');
}

function isUnanswered(error: unknown): boolean {
  return causesOf(error).some(({ name }) => name === 'KafkaJSRequestTimeoutError' || name === 'BusUnreachableError');
}
