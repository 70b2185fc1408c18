import { setTimeout as delay } from 'node:timers/promises';
import type { KafkaMessage } from 'kafkajs';
import { deliverBatch } from '../bus/deliver-batch.js';
import { BusClosedError, type BatchHandler, type BusMessage, type DeadLetter } from '../bus/message-bus.js';
import { hasType, reasonOf, UnpublishableMessageError } from './bus-failures.js';
import { deadLetterRecord } from './dead-letter-record.js';
import { silent, type KafkaBusSettings } from './kafka-bus-options.js';
import type { SubscriptionPlace } from './group-members.js';
import { readRecord, type OutgoingRecord } from './message-record.js';

interface DeliveryCounters {
  delivered: number;
  deadLetters: number;
  malformed: number;
}

const KEEP_PAUSE_MS = 500;

/** Resolves when the record is acknowledged. */
type PublishRecord = (record: OutgoingRecord) => Promise<void>;

/**
 * Delivers records to a handler. Unreadable records become dead letters at once, refused ones after their last attempt;
 * both are stored in the dead-letter topic before later records are reported as handled. `everyProcess` subscriptions
 * only log them: every process would store the same letter, and the topic's durable group does.
 */
export class RecordDelivery {
  readonly counters: DeliveryCounters = { delivered: 0, deadLetters: 0, malformed: 0 };

  constructor(
    private readonly settings: KafkaBusSettings,
    private readonly publish: PublishRecord,
  ) {}

  /** Returns false if it was stopped before the end. */
  async deliver(
    place: SubscriptionPlace,
    handle: BatchHandler,
    partition: number,
    records: readonly KafkaMessage[],
    isStopped: () => boolean,
  ): Promise<boolean> {
    const originals = new Map<BusMessage, KafkaMessage>();
    const giveUp = async (message: BusMessage, original: KafkaMessage, attempts: number, reason: string) =>
      await this.#giveUp({ topic: place.topic, group: place.group, message, attempts, reason }, async () => {
        if (place.everyProcess) return true;
        const letter = deadLetterRecord(original, { ...place, partition, attempts, reason });
        return await this.#keep(letter, isStopped);
      });

    for (const record of records) {
      const { message, malformed } = readRecord(record, this.settings.maxMessageBytes);
      if (malformed === null) originals.set(message, record);
      else {
        this.counters.malformed++;
        if (!(await giveUp(message, record, 0, malformed))) return false;
      }
    }
    const batch = [...originals.keys()];
    if (batch.length === 0) return true;
    let kept = true;
    const done = await deliverBatch(batch, handle, this.settings, {
      topic: place.topic,
      group: place.group,
      onGivenUp: async (message, reason) => {
        const original = originals.get(message);
        if (original) kept &&= await giveUp(message, original, this.settings.attempts, reason);
      },
      isStopped: () => isStopped() || !kept,
    });
    if (done && kept) this.counters.delivered += batch.length;
    return done && kept;
  }

  /** Reports the letter once it is stored. */
  async #giveUp(letter: DeadLetter, keep: () => Promise<boolean>): Promise<boolean> {
    if (!(await keep())) return false;
    this.counters.deadLetters++;
    this.settings.onDeadLetter?.(letter);
    return true;
  }

  /** Retries while this process owns the partition. A letter that no broker accepts is only logged. */
  async #keep(letter: OutgoingRecord, isStopped: () => boolean): Promise<boolean> {
    const log = this.settings.log ?? silent;
    while (!isStopped()) {
      try {
        await this.publish(letter);
        return true;
      } catch (error) {
        if (error instanceof BusClosedError) return false;
        log('error', 'a dead letter could not be stored', { topic: letter.topic, reason: reasonOf(error) });
        if (error instanceof UnpublishableMessageError || hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) return true;
        await delay(KEEP_PAUSE_MS);
      }
    }
    return false;
  }
}
